import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// A log that is removed while it is recorded, and another recording that begins at its path.
@Suite struct TwoRecordingsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func writer(
    _ name: String, log: String, keeping retention: LogWriter.Options.Retention? = nil
  ) throws -> LogWriter {
    var options = LogWriter.Options()
    options.retention = retention
    return try LogWriter(
      path: folder.path(name), header: LogHeader(log: log), options: options)
  }

  private func begin(_ number: UInt64, in writer: LogWriter) -> LogValue {
    writer.begin(
      step: number, at: LogTime(microseconds: number), action: LogValue(json: ["type": "t"]))
  }

  private func append(_ number: UInt64, to writer: LogWriter) {
    let action = begin(number, in: writer)
    writer.append(
      StepRecord(number: number, time: LogTime(microseconds: number), action: action))
  }

  /// The numbers of the actions in flight beside a log.
  private func inFlight(_ name: String) throws -> [UInt64] {
    try LogFile.opened(folder.path(name)).inFlight().map(\.number)
  }

  @Test("Closing the first one leaves the second one its actions in flight")
  func close() throws {
    let first = try writer("a.jsonl", log: "first")
    append(1, to: first)
    try FileManager.default.removeItem(atPath: folder.path("a.jsonl"))
    let second = try writer("a.jsonl", log: "second")
    _ = begin(1, in: second)
    let lost = LogError(path: folder.path("a.jsonl"), reason: .lost(.removed))
    #expect(throws: lost) { try first.close() }
    #expect(try inFlight("a.jsonl") == [1])
    try second.close()
    #expect(try folder.names() == ["a.jsonl"])
  }

  @Test("The second one cannot begin beside segments of the first one")
  func rotation() throws {
    let first = try writer("a.jsonl", log: "first", keeping: .steps(4))
    append(1, to: first)
    try first.flush()
    #expect(throws: LogError(path: folder.path("a.jsonl"), reason: .locked)) {
      try writer("a.jsonl", log: "second", keeping: .steps(4))
    }
    append(2, to: first)
    try first.flush()
    _ = begin(3, in: first)
    #expect(
      try folder.names() == [
        ".a.0002.jsonl.inflight", ".a.jsonl.lock", "a.0001.jsonl", "a.0002.jsonl",
      ])
    #expect(try inFlight("a.0002.jsonl") == [3])
    try first.close()
    #expect(try folder.names() == ["a.0001.jsonl", "a.0002.jsonl"])
  }
}
