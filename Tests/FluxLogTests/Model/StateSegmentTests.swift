import FluxJSON
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct StateSegmentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func timeline(_ lines: [String]) throws -> Timeline {
    let path = try folder.write(lines.map(SampleLog.summed).joined().utf8, to: "log.jsonl")
    return Timeline(try LogFile.opened(path))
  }

  /// A log of one whole state and one patch per step.
  ///
  /// Step n sets `/n` to n. If n is a multiple of 3, it inserts n into `/list`; otherwise it removes
  /// the last element.
  private func counting(through last: Int) throws -> Timeline {
    try timeline(
      [#"{"flux":"1.0","stores":{"a":{"initial":{"list":[0],"n":0,"rest":[1,2,3]}}}}"#]
        + (1...last).map { n in
          let list =
            n % 3 == 1
            ? #"{"op":"add","path":"/list/0","value":\#(n)}"#
            : #"{"op":"test","path":"/n","value":\#(n)}"#
          return #"{"n":\#(n),"t":1.000000,"action":{"type":"x"},"patches":{"a":["#
            + #"{"op":"replace","path":"/n","value":\#(n)},\#(list)"#
            + (n % 3 == 0 ? #",{"op":"remove","path":"/list/0"}"# : "") + "]}}"
        })
  }

  private func expected(_ n: Int) -> String {
    let list = n % 3 == 0 ? "[0]" : "[\(n - (n - 1) % 3),0]"
    return #"{"list":\#(list),"n":\#(n),"rest":[1,2,3]}"#
  }

  @Test("Jumps over thousands of patches and steps from there give the same states")
  func farJumps() throws {
    let timeline = try counting(through: 6000)
    func check(_ n: Int) throws {
      #expect(
        try timeline.state(of: "a", at: n - 1)?.text == expected(n),
        "seed \(SeededGenerator.seed), step \(n)")
    }
    var random = SeededGenerator()
    for _ in 0..<12 {
      let n = Int.random(in: 0...6000, using: &random)
      try check(n)
      for back in 0...min(3, n) { try check(n - back) }
      for forth in 0...min(3, 6000 - n) { try check(n + forth) }
    }
    // Over several checkpoints, after a jump, both ways.
    try check(5000)
    for n in (4000...5000).reversed() { try check(n) }
    for n in 4000...4700 { try check(n) }
  }

  @Test("Single values can be read over more patches than one draft takes")
  func values() throws {
    let timeline = try counting(through: 6000)
    let pointer = try Pointer("/n")
    for position in stride(from: 5999, through: 0, by: -7) {
      let value = try timeline.value(pointer, of: "a", at: position)
      #expect(value == .present(JSON(integerLiteral: Int64(position) + 1)))
    }
    for position in 0..<6000 {
      let value = try timeline.value(pointer, of: "a", at: position)
      #expect(value == .present(JSON(integerLiteral: Int64(position) + 1)))
    }
  }

  @Test("Patches far larger than the state can be reverted")
  func crowded() throws {
    let texts = (0..<40).map { String(repeating: "x", count: 100_000) + String($0) }
    let timeline = try timeline(
      [#"{"flux":"1.0","stores":{"a":{"initial":{"list":[""],"other":1}}}}"#]
        + texts.enumerated().map { n, text in
          #"{"n":\#(n + 1),"t":1.000000,"action":{"type":"x"},"patches":{"a":["#
            + #"{"op":"replace","path":"/list/0","value":"\#(text)"},"#
            + #"{"op":"replace","path":"/other","value":\#(n)}]}}"#
        })
    for position in Array(texts.indices) + texts.indices.reversed() {
      #expect(
        try timeline.state(of: "a", at: position)?.text
          == #"{"list":["\#(texts[position])"],"other":\#(position)}"#)
    }
    #expect(try timeline.state(of: "a", at: -1)?.text == #"{"list":[""],"other":1}"#)
  }
}
