import FluxJSON
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// Logs that are written in one go, such as saved forks.
@Suite struct CompleteLogTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("a.jsonl") }

  init() throws { folder = try TemporaryFolder() }

  private func steps(_ numbers: ClosedRange<UInt64>, _ body: @escaping () -> Void = {})
    -> some Sequence<StepRecord>
  {
    numbers.lazy.map { number in
      body()
      return StepRecord(
        number: number, time: LogTime(microseconds: number),
        action: LogValue(json: ["type": "t"]))
    }
  }

  private func write(
    _ steps: some Sequence<StepRecord>, replacesExisting: Bool = false
  ) throws(LogError) {
    let log = try CompleteLog(
      LogHeader(log: "saved"), to: path, replacesExisting: replacesExisting)
    for step in steps { try log.append(step) }
    try log.commit()
  }

  @Test("A log appears when it is complete")
  func appears() throws {
    var names: [[String]] = []
    try write(steps(1...2) { names.append((try? folder.names()) ?? []) })
    #expect(names.count == 2)
    #expect(names.allSatisfy { $0.count == 1 && $0[0].hasSuffix(".unfinished") }, "\(names)")
    #expect(try folder.names() == ["a.jsonl"])
    let log = try LogFile.opened(path)
    #expect((log.count, log.end?.isComplete) == (2, true))
  }

  @Test("A replaced log is there until the new one is complete, and loses the files beside it")
  func replaces() throws {
    try write(steps(1...1))
    for name in ["a.jsonl.idx", "a.jsonl.inflight"] { try folder.write("old", to: name) }
    var counts: [Int] = []
    try write(
      steps(1...2) { counts.append((try? LogFile.opened(path).count) ?? 0) },
      replacesExisting: true)
    #expect(counts == [1, 1])
    #expect(try folder.names() == ["a.jsonl"])
    #expect(try LogFile.opened(path).count == 2)
  }

  @Test(
    "A log is unlocked once it is written, even if a process that is starting has its descriptor")
  func unlocks() throws {
    var duplicate: Int32 = -1
    defer { close(duplicate) }
    try write(
      steps(1...1) {
        do {
          let names = try folder.names().filter { $0.hasSuffix(".unfinished") }
          duplicate = try duplicateOfDescriptor(ofFile: folder.path(#require(names.first)))
        } catch {
          Issue.record(error)
        }
      })
    #expect(duplicate >= 0)
    try write(steps(1...2), replacesExisting: true)
    #expect(try LogFile.opened(path).count == 2)
  }

  /// Duplicates the descriptor with which this process has opened a file; -1 if it has none.
  private func duplicateOfDescriptor(ofFile path: String) throws -> Int32 {
    var wanted = stat()
    try #require(unsafe stat(path, &wanted) == 0)
    for number in Int32(3)..<1024 {
      var status = stat()
      guard unsafe fstat(number, &status) == 0 else { continue }
      if status.st_ino == wanted.st_ino && status.st_dev == wanted.st_dev { return dup(number) }
    }
    return -1
  }

  @Test("An existing log stays if it must not be replaced, or is being recorded")
  func refuses() throws {
    try write(steps(1...1))
    #expect(throws: LogError(path: path, reason: .exists)) { try write(steps(1...2)) }
    let recorder = try OpenFile(reading: path)
    #expect(try recorder.lock())
    #expect(throws: LogError(path: path, reason: .locked)) {
      try write(steps(1...2), replacesExisting: true)
    }
    #expect(try folder.names() == ["a.jsonl"])
    #expect(try LogFile.opened(path).count == 1)
  }

  @Test("Marks, gaps and circumstances from elsewhere are written between and in steps")
  func otherLines() throws {
    let log = try CompleteLog(
      LogHeader(stores: [.init(name: "a", initial: 1), .init(name: "b", initial: 1)]), to: path,
      replacesExisting: false)
    func step(_ number: UInt64, _ changes: [(String, JSON?)], x: JSON? = nil) throws {
      var record = StepRecord(
        number: number, time: LogTime(microseconds: 0),
        action: LogValue(json: ["type": "t", "text": "x"]),
        changes: changes.map { .init(store: $0, state: $1.map { LogValue(json: $0) }) })
      record.external = x
      try log.append(record)
    }
    try log.append(LogGap(from: 1, through: 0, why: .imported))
    try step(1, [("a", 1)], x: ["id": 7])
    try log.append(LogMark(text: "m", time: LogTime(microseconds: 0)))
    try step(2, [("b", nil)])
    try log.append(LogGap(from: 3, through: 4, why: .paused))
    try step(5, [("b", 2)])
    try log.commit()
    let lines = try folder.text(of: "a.jsonl").split(separator: "\n")
      .map { String($0).replacing(/,"sum":"[0-9a-f]{8}"/, with: "") }
    #expect(
      lines == [
        #"{"flux":"1.1","first":1,"stores":{"a":{"initial":1},"b":{"initial":1}}}"#,
        #"{"gap":{"from":1,"to":0,"why":"imported"}}"#,
        #"{"n":1,"t":0.000000,"action":{"type":"t","text":"x"},"states":{"a":1},"x":{"id":7}}"#,
        #"{"mark":"m","t":0.000000}"#,
        #"{"n":2,"t":0.000000,"action":{"type":"t","text":"x"},"removed":["b"]}"#,
        #"{"gap":{"from":3,"to":4,"why":"paused"}}"#,
        #"{"n":5,"t":0.000000,"action":{"type":"t","text":"x"},"states":{"a":1,"b":2}}"#,
        #"{"end":{"steps":3,"ok":true}}"#,
      ])
    let timeline = Timeline(try LogFile.open(path))
    try timeline.log.waitForIndex()
    #expect(timeline.log.findings.isEmpty)
    #expect(try timeline.model(at: 0).unknownStores == ["b"])
    #expect(try timeline.model(at: 1).json == ["a": 1])
    #expect(try timeline.step(at: 0).external == ["id": 7])
    #expect(try timeline.step(at: 0).payload == ["text": "x"])
  }

  @Test("The parts of lines come back from their JSON")
  func parts() throws {
    let header = LogHeader(log: "l", seed: 1, first: 4, stores: [.init(name: "a", initial: [1])])
    #expect(LogLine(object: header.object) == .header(header))
    let gap = LogGap(restoring: .states(["a": 1]), before: 3)
    #expect(LogLine(object: gap.object) == .gap(gap))
    let line: JSON = ["n": 1, "t": 2.5, "action": ["type": "t"], "x": ["id": 1]]
    let step = try LogStep(line)
    #expect(LogLine(object: step.object) == .step(step))
    #expect(LogLine(object: ["n": 1]) == nil)
    #expect(LogLine(object: ["flux": "2.0"]) == nil)
  }
}
