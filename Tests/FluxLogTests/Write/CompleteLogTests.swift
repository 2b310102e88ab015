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
        action: PreparedAction(LogValue(json: ["type": "t"])))
    }
  }

  private func write(
    _ steps: some Sequence<StepRecord>, replacesExisting: Bool = false
  ) throws(LogError) {
    try LogWriter.write(
      steps, header: LogHeader(log: "saved"), to: path, replacesExisting: replacesExisting)
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
}
