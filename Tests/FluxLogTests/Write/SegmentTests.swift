import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct SegmentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "Logs are numbered before the extension",
    arguments: [
      ("/a.b/run.jsonl", "/a.b/run.0007.jsonl", "/a.b/run~7.jsonl"), ("run", "run.0007", "run~7"),
      ("a/.hidden", "a/.hidden.0007", "a/.hidden~7"), ("x.tar.gz", "x.tar.0007.gz", "x.tar~7.gz"),
    ])
  func names(path: String, segment: String, numbered: String) {
    let names = LogFileNames(path: path)
    #expect(names.path(.segments, 7) == segment)
    #expect(names.path(.numbered, 7) == numbered)
  }

  @Test("Files whose names only look like a segment's count for nothing")
  func numbers() throws {
    for name in [
      "run.0002.jsonl", "run.9223372036854775807.jsonl", "run.-5.jsonl", "run.00x3.jsonl",
      "other.0009.jsonl",
    ] {
      try folder.write("", to: name)
    }
    #expect(LogFileNames(path: folder.path("run.jsonl")).next(.segments) == 3)
  }

  private func record(_ steps: ClosedRange<UInt64>, keeping: LogWriter.Options.Retention) throws {
    var options = LogWriter.Options()
    options.retention = keeping
    let header = LogHeader(
      log: "x", recordsEffects: true,
      stores: [.init(name: "a", initial: 0), .init(name: "b", isFeature: true)])
    let writer = try LogWriter(path: folder.path("run.jsonl"), header: header, options: options)
    for number in steps {
      let time = LogTime(microseconds: number)
      let action = writer.begin(step: number, at: time, action: LogValue(json: ["type": "t"]))
      let state = LogValue(json: JSON(integerLiteral: Int64(number)))
      var changes = [StepRecord.Change(store: "a", state: state)]
      if number % 5 == 0 {
        changes.append(.init(store: "b", state: number % 10 == 0 ? nil : state))
      }
      writer.append(StepRecord(number: number, time: time, action: action, changes: changes))
    }
    try writer.close()
  }

  private func segments() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path()).sorted()
  }

  @Test("Actions in flight whose next name is taken for good leave no file behind")
  func takenName() throws {
    try FileManager.default.createDirectory(
      at: folder.url(".run.0002.jsonl.inflight"), withIntermediateDirectories: false)
    try record(1...4, keeping: .steps(8))
    #expect(
      try segments() == [".run.0002.jsonl.inflight", "run.0001.jsonl", "run.0002.jsonl"])
    try record(1...6, keeping: .steps(8))
    #expect(
      try segments() == [
        ".run.0002.jsonl.inflight", "run.0001.jsonl", "run.0002.jsonl", "run.0003.jsonl",
        "run.0004.jsonl", "run.0005.jsonl",
      ])
  }

  @Test(
    "A flight recorder keeps the last steps, each segment a sound log that goes on from the last")
  func rotation() throws {
    try record(1...103, keeping: .steps(40))
    let names = try segments()
    #expect(
      names == [
        "run.0007.jsonl", "run.0008.jsonl", "run.0009.jsonl", "run.0010.jsonl", "run.0011.jsonl",
      ])
    var next: UInt64 = 61
    var kept = 0
    for name in names {
      let log = try LogFile.opened(folder.path(name))
      #expect(log.findings == [])
      #expect(log.header.first == next)
      #expect(log.header.recordsEffects)
      // The states before the first step are those after the last one of the segment before.
      let initial = log.header.stores.map(\.initial)
      #expect(initial.first == JSON(integerLiteral: Int64(next - 1)))
      let fives = Int64(next - 1) / 5 * 5
      let last: JSON? = fives % 10 == 0 ? nil : JSON(integerLiteral: fives)
      #expect(initial.last == last)
      let isContinued = name != names.last
      #expect(
        log.end == LogEnd(steps: UInt64(log.count), isComplete: true, isContinued: isContinued))
      next += UInt64(log.count)
      kept += log.count
    }
    #expect(next == 104)
    #expect(kept >= 40)
  }

  /// One step of a chain: what led to it, and the effect that did.
  struct Link: Sendable, ExpressibleByIntegerLiteral, CustomTestStringConvertible {
    var cause: UInt64?
    var effect: String?

    static let root = Link()
    static func effect(_ cause: UInt64) -> Link { Link(cause: cause, effect: "load") }
    init(cause: UInt64? = nil, effect: String? = nil) {
      self.cause = cause
      self.effect = effect
    }
    init(integerLiteral cause: UInt64) { self.cause = cause }
    var testDescription: String { cause.map { "\($0)\(effect ?? "")" } ?? "root" }
  }

  @Test(
    "A segment begins with a step that follows up no other, unless a chain makes the last one twice as large",
    arguments: [
      ([.root, .root, .root, .root, .root], [1, 4]),
      ([.root, .root, 2, 2, .root, .root], [1, 5]),
      ([.root, 1, 2, 3, 1, 2, 6, 7], [1, 7]),
      ([.root, 1, .effect(1), .effect(1), 4, 4, .root], [1, 4, 7]),
    ] as [([Link], [UInt64])])
  func chains(links: [Link], firsts: [UInt64]) throws {
    var options = LogWriter.Options()
    options.retention = .steps(12)
    let header = LogHeader(log: "x", stores: [.init(name: "a", initial: 0)])
    let writer = try LogWriter(path: folder.path("run.jsonl"), header: header, options: options)
    for (number, link) in zip(UInt64(1)..., links) {
      let time = LogTime(microseconds: number)
      let action = writer.begin(step: number, at: time, action: LogValue(json: ["type": "t"]))
      writer.append(
        StepRecord(
          number: number, time: time, action: action, cause: link.cause, effect: link.effect))
    }
    try writer.close()
    #expect(try segments().map { try LogFile.opened(folder.path($0)).header.first } == firsts)
  }

  @Test("A flight recorder keeps the last bytes")
  func bytes() throws {
    try record(1...1000, keeping: .bytes(8000))
    var sizes: [Int] = []
    for name in try segments() {
      sizes.append(try folder.bytes(of: name).count)
      #expect(try LogFile.opened(folder.path(name)).findings == [])
    }
    let total = sizes.reduce(0, +)
    #expect(total >= 8000 && total < 16_000)
  }

  @Test("Segments of an earlier run stay")
  func earlier() throws {
    try record(1...3, keeping: .steps(40))
    try record(1...3, keeping: .steps(40))
    #expect(try segments() == ["run.0001.jsonl", "run.0002.jsonl"])
  }
}
