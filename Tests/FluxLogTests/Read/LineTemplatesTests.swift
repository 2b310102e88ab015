import TestFixtures
import Testing

@testable import FluxLog

@Suite struct LineTemplatesTests {
  /// What is found for a line after another was learned; both from the action's type on.
  private static func found(
    _ line: String, after learned: String, exact: [Range<Int>] = []
  ) -> UInt32? {
    var templates = LineTemplates()
    let tail = Array(repeating: UInt8(ascii: ","), count: 18)
    let known = Array(learned.utf8) + tail
    let bytes = Array(line.utf8) + tail
    unsafe known.withUnsafeBytes { buffer in
      templates.learn(
        unsafe JSONBytes(buffer), from: 0, to: learned.utf8.count, exact: exact, type: 1, shape: 2)
    }
    let result = unsafe bytes.withUnsafeBytes { buffer in
      templates.find(unsafe JSONBytes(buffer), from: 0, to: line.utf8.count)
    }
    #expect(result.map { $0.shape == 2 } ?? true)
    return result?.type
  }

  @Test("A line fits where it differs in digits only, whatever its length")
  func digits() {
    for count in 0..<235 {
      let filler = String(repeating: "x", count: count)
      let learned = #"a","payload":1\#(filler)23}"#
      #expect(Self.found(learned, after: learned) == 1)
      #expect(Self.found(#"a","payload":9\#(filler)08}"#, after: learned) == 1)
      #expect(Self.found(#"a","payload":9\#(filler)8}"#, after: learned) == nil)
      #expect(Self.found(#"a","payload":9\#(filler)x8}"#, after: learned) == nil)
      #expect(Self.found(#"a","payload":9\#(filler)0"}"#, after: learned) == nil)
    }
  }

  @Test(
    "No other byte passes for a digit, and no digit for another byte",
    arguments: [UInt8(0)..<0x30, 0x3A..<0xFF])
  func others(bytes: Range<UInt8>) {
    for byte in bytes {
      let other = String(UnicodeScalar(byte))
      guard other.utf8.count == 1 else { continue }
      #expect(Self.found("0123456789abcde" + other, after: "0123456789abcde7") == nil)
      #expect(Self.found("0123456789abcde7", after: "0123456789abcde" + other) == nil)
    }
  }

  @Test("Digits of types and stores count")
  func exact() {
    let learned = #"step1","payload":1},"states":{"s1":{"a":1}}"#
    let exact = [0..<5, 31..<33]
    #expect(Self.found(learned, after: learned, exact: exact) == 1)
    #expect(
      Self.found(#"step1","payload":2},"states":{"s1":{"a":3}}"#, after: learned, exact: exact) == 1
    )
    #expect(
      Self.found(#"step2","payload":1},"states":{"s1":{"a":1}}"#, after: learned, exact: exact)
        == nil)
    #expect(
      Self.found(#"step1","payload":1},"states":{"s2":{"a":1}}"#, after: learned, exact: exact)
        == nil)
  }

  @Test("An index has the types, shapes and times of its steps, in whatever order lines are alike")
  func index() throws {
    var generator = SeededGenerator()
    let folder = try TemporaryFolder()
    var lines = [SampleLog.summed(SampleLog.header)]
    var steps: [LogStep] = []
    let stores = ["todos", "s1", "s2", "a store with a name of more than sixteen bytes 1"]
    let types = ["a", "todo/add1", "todo/add2", "an action/with a long name/1", ""]
    for number in 1...2000 {
      let type = types.randomElement(using: &generator) ?? ""
      let store = stores.randomElement(using: &generator) ?? ""
      let value = Int.random(in: 0..<120, using: &generator)
      var line =
        #"{"n":\#(number),"t":\#(number / 3).\#(100_000 + number),"action":{"type":"\#(type)","payload":\#(value)}"#
      if value % 3 == 0, number > value + 1 { line += #","cause":\#(number - value - 1)"# }
      switch value % 5 {
      case 0: line += #","states":{"\#(store)":{"count":\#(value)}}"#
      case 1: line += #","patches":{"\#(store)":[{"op":"remove","path":"/items/\#(value)"}]}"#
      case 2: line += #","states":{"s1":\#(value),"s2":"\#(value)"}"#
      case 3: line += #","rejected":{"reason":"impossible","message":"\#(value)"}"#
      default: break
      }
      line += "}"
      lines.append(SampleLog.summed(line))
      guard case .step(let step) = try LogLine(Array(line.utf8)) else { continue }
      steps.append(step)
    }
    let path = try folder.write(lines.joined().utf8, to: "log.jsonl")
    let log = try LogFile.opened(path, pieceSize: 4096)
    #expect(log.count == steps.count, "seed \(SeededGenerator.seed)")
    #expect(log.findings.map(\.problem) == [.noEnd])
    for (position, step) in steps.enumerated() {
      #expect(try log.type(at: position) == step.type, "seed \(SeededGenerator.seed)")
      #expect(try log.shape(at: position) == StepShape(step), "seed \(SeededGenerator.seed)")
    }
  }
}
