import FluxSystem
import TestFixtures

@testable import FluxLog

/// A log of a few lines for tests of the index, and a description of what an index of it has.
enum IndexedLines {
  static let header = #"{"flux":"1.0","stores":{"s":{}}}"#
  static let lines = [
    #"{"n":1,"t":0.100000,"action":{"type":"a"},"states":{"s":1}}"#,
    #"{"n":2,"t":0.200000,"action":{"type":"b"},"patches":{"s":[]}}"#,
    #"{"mark":"m","t":0.200000}"#,
    #"{"gap":{"from":3,"to":4,"why":"paused"}}"#,
    #"{"n":5,"t":0.500000,"action":{"type":"a"},"states":{"s":2}}"#,
    #"{"n":6,"t":0.600000,"action":{"type":"c"},"removed":["s"]}"#,
    #"{"end":{"steps":4,"ok":true}}"#,
  ].map(SampleLog.summed)

  static let text = SampleLog.summed(header) + lines.joined()
  /// The offset of the second line.
  static let start = SampleLog.summed(header).utf8.count

  static let description = [
    "line 2, byte 50: step 1, a, whole s",
    "line 3, byte 127: step 2, b, patch s",
    "line 6, byte 307: step 5, a, whole s",
    "line 7, byte 384: step 6, c, removal s",
    "mark m before position 2", "gap 3 to 4 before position 2", "end of 4 steps, 9 next",
  ]

  static var empty: LogIndex { LogIndex(first: 1, nextLine: 2, end: start) }

  static func describe(_ index: LogIndex, _ names: LogNames) throws -> [String] {
    var found: [String] = []
    for position in 0..<index.count {
      guard let place = index.location(of: position), let number = index.number(at: position) else {
        continue
      }
      let block = index.blocks[place.block]
      let writes = names.shape(block.shapes[place.step]).writes.map { "\($0.kind) \($0.store)" }
      found.append(
        "line \(block.line(ofStep: place.step)), byte \(block.bytes(ofStep: place.step).lowerBound): "
          + (["step \(number)", names.type(block.types[place.step])] + writes)
          .joined(separator: ", "))
    }
    let checker = index.checker
    found += checker.findings.map { "line \($0.line): \($0.problem.kind)" }
    found += checker.marks.map { "mark \($0.mark.text) before position \($0.position)" }
    found += checker.gaps.map {
      "gap \($0.gap.from) to \($0.gap.through) before position \($0.position)"
    }
    if let end = checker.end { found.append("end of \(end.steps) steps, \(index.nextLine) next") }
    return found
  }
}
