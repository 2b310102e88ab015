import FluxJSON
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct UnwrittenStatesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func timeline(_ lines: [String], summed: Bool = false) throws -> Timeline {
    let lines = summed ? lines.map { String($0.dropLast()) + sum(of: $0) } : lines
    let path = try folder.write(lines.map { $0 + "\n" }.joined().utf8, to: "log.jsonl")
    let log = try LogFile.open(path)
    try log.waitForIndex()
    return Timeline(log)
  }

  /// The end of a line with its sum, which the index reads without parsing it.
  private func sum(of line: String) -> String {
    let digits = String(CRC32C.checksum(Array(line.dropLast().utf8)), radix: 16)
    let zeros = String(repeating: "0", count: 8 - digits.count)
    return #","sum":"\#(zeros)\#(digits)"}"#
  }

  private static let header =
    #"{"flux":"1.1","stores":{"a":{"initial":{"v":0}},"f":{"feature":true}}}"#

  @Test("A store is unknown from an unwritten state to its next one", arguments: [false, true])
  func states(_ summed: Bool) throws {
    let timeline = try timeline(
      [
        Self.header,
        #"{"n":1,"t":1.000000,"action":{"type":"x"},"unwritten":["a"]}"#,
        #"{"n":2,"t":2.000000,"action":{"type":"x"},"states":{"f":1}}"#,
        #"{"n":3,"t":3.000000,"action":{"type":"x"},"patches":{"a":[{"op":"replace","path":"/v","value":3}]},"unwritten":["f"]}"#,
        #"{"n":4,"t":4.000000,"action":{"type":"x"},"removed":["f"],"unwritten":["a"]}"#,
        #"{"n":5,"t":5.000000,"action":{"type":"x"},"states":{"a":{"v":5}},"unwritten":["f"]}"#,
        #"{"n":6,"t":6.000000,"action":{"type":"x"},"removed":["f"]}"#,
      ], summed: summed)
    let states = try (-1..<6).map { position in
      try ["a", "f"].map { store in
        switch try timeline.storeState(store, at: position) {
        case .present(let json): json.text
        case .absent: "-"
        case .unknown: "?"
        }
      }.joined(separator: " ")
    }
    #expect(
      states == [
        #"{"v":0} -"#, "? -", "? 1", #"{"v":3} ?"#, "? -", #"{"v":5} ?"#, #"{"v":5} -"#,
      ])
    #expect(try timeline.check().map(\.problem) == [.noEnd])
    #expect(try timeline.lastKnown("a", atOrBefore: 3).position == 2)
    #expect(try timeline.lastKnown("a", atOrBefore: 1).position == -1)
    #expect(try timeline.lastKnown("f", atOrBefore: 4).position == 3)
    #expect(try timeline.lastKnownModel(atOrBefore: 4)?.position == -1)
    #expect(try timeline.lastKnownModel(atOrBefore: 5)?.position == 5)
    #expect(timeline.log.unwrittenStepCount() == 4)
    let places = try [("a", 0), ("a", 1), ("a", 3), ("f", 2), ("f", 4)].map { store, position in
      let (before, after) = try timeline.knownPositions(of: store, around: position)
      return [before, after]
    }
    #expect(places == [[-1, 2], [-1, 2], [2, 4], [1, 3], [3, 5]])
  }

  @Test("Stores that are unwritten from the same step on are known right before it")
  func together() throws {
    let unwritten = [1, 3].map { n in
      #"{"n":\#(n),"t":\#(n),"action":{"type":"x"},"unwritten":["a","f"]}"#
    }
    let whole = #"{"n":2,"t":2,"action":{"type":"x"},"states":{"a":{"v":2},"f":2}}"#
    let plain = try timeline([Self.header, unwritten[0], whole, unwritten[1]])
    #expect(try plain.lastKnownModel(atOrBefore: 0)?.position == -1)
    #expect(try plain.lastKnownModel(atOrBefore: 2)?.position == 1)
    let gap = try timeline([
      Self.header, #"{"gap":{"from":1,"to":1,"why":"paused"}}"#, whole, unwritten[1],
    ])
    #expect(try gap.lastKnownModel(atOrBefore: 1)?.position == 0)
    let imported = try timeline([
      Self.header, #"{"gap":{"from":1,"to":0,"why":"imported"}}"#,
      #"{"n":1,"t":1,"action":{"type":"x"}}"#, #"{"n":2,"t":2,"action":{"type":"x"}}"#,
    ])
    #expect(try imported.lastKnownModel(atOrBefore: 1)?.position == -1)
  }

  @Test("Rejected steps after a restoring gap have the last known state of the restored step")
  func restored() throws {
    let timeline = try timeline([
      Self.header,
      #"{"n":1,"t":1.000000,"action":{"type":"x"},"unwritten":["a"]}"#,
      #"{"n":2,"t":2.000000,"action":{"type":"x"},"states":{"a":{"v":2}}}"#,
      #"{"gap":{"from":3,"to":2,"why":"restored","step":1}}"#,
      #"{"n":3,"t":3.000000,"action":{"type":"x"},"rejected":{"reason":"refused","message":"no"}}"#,
      #"{"n":4,"t":4.000000,"action":{"type":"x"},"states":{"a":{"v":0}}}"#,
    ])
    #expect(try timeline.lastKnown("a", atOrBefore: 2).position == -1)
    #expect(try timeline.changedStores(at: 3) == [])
  }

  @Test("At the end of a log that was cut off, there is no later known state")
  func cut() throws {
    let timeline = try timeline([
      Self.header, #"{"n":1,"t":1,"action":{"type":"x"},"states":{"a":{"v":1}}}"#,
      #"{"n":2,"t":2,"action":{"type":"x"},"unwritten":["a"]}"#,
    ])
    let (before, after) = try timeline.knownPositions(of: "a", around: 1)
    #expect(before == 0)
    #expect(after == nil)
  }

  @Test("After a gap and in a rejected step, an unwritten state is damage")
  func damage() throws {
    let after = try timeline([
      Self.header,
      #"{"n":1,"t":1,"action":{"type":"x"},"unwritten":["a"]}"#,
      #"{"gap":{"from":2,"to":2,"why":"paused"}}"#,
      #"{"n":3,"t":3,"action":{"type":"x"},"unwritten":["a"]}"#,
      #"{"n":4,"t":4,"action":{"type":"x"},"patches":{"a":[]}}"#,
    ])
    #expect(try after.check().map(\.problem) == [.unwrittenAfterGap("a"), .noEnd])
    #expect(try after.check()[0].line == 4)
    #expect(try after.storeState("a", at: 2) == .unknown)
    #expect(after.log.hasPatchAfterGap())
    let rejected = try timeline([
      Self.header,
      #"{"n":1,"t":1,"action":{"type":"x"},"unwritten":["a"],"rejected":{"reason":"no","message":""}}"#,
    ])
    #expect(
      try rejected.check().map(\.problem) == [.changeInRejectedStep(member: "unwritten"), .noEnd])
    let twice = try timeline([
      Self.header,
      #"{"n":1,"t":1,"action":{"type":"x"},"states":{"a":1},"unwritten":["a"]}"#,
    ])
    #expect(try twice.check().map(\.problem) == [.storeWrittenTwice("a"), .noEnd])
  }

  @Test("A gap ends unwritten states; a store that the step after it does not list is absent")
  func gap() throws {
    let timeline = try timeline([
      Self.header,
      #"{"n":1,"t":1,"action":{"type":"x"},"unwritten":["a","f"]}"#,
      #"{"gap":{"from":2,"to":2,"why":"paused"}}"#,
      #"{"n":3,"t":3,"action":{"type":"x"},"states":{"a":{"v":3}}}"#,
    ])
    #expect(try timeline.storeState("f", at: 1) == .absent)
    #expect(try timeline.storeState("a", at: 1) == .present(["v": 3]))
    #expect(try timeline.lastKnownModel(atOrBefore: 1)?.position == 1)
  }
}
