import FluxJSON
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// Other programs that remove, shorten or rename a log while it is recorded.
@Suite struct LogLossTests {
  private let folder: TemporaryFolder
  private let reported = Monitor<[LogError]>([])
  private var path: String { folder.path("logs/a.jsonl") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("logs"), withIntermediateDirectories: false)
  }

  private func writer() throws -> LogWriter {
    var options = LogWriter.Options()
    options.onFailure = { [reported] error in reported.withLock { $0.append(error) } }
    let writer = try LogWriter(path: path, header: LogHeader(log: "x"), options: options)
    append(1, to: writer)
    try writer.flush()
    return writer
  }

  private func append(_ number: UInt64, to writer: LogWriter) {
    let time = LogTime(microseconds: number)
    let action = writer.begin(step: number, at: time, action: LogValue(json: ["type": "t"]))
    writer.append(StepRecord(number: number, time: time, action: action))
  }

  private func error(_ loss: LogLoss) -> LogError { LogError(path: path, reason: .lost(loss)) }

  @Test("A log that is removed ends its recording at the next flush", arguments: ["a.jsonl", ""])
  func removed(_ name: String) throws {
    let writer = try writer()
    try FileManager.default.removeItem(atPath: folder.path("logs/\(name)"))
    let lost = error(.removed)
    #expect(throws: lost) { try writer.flush() }
    #expect(throws: lost) { try writer.export(.all, to: folder.path("part.jsonl")) }
    append(2, to: writer)
    #expect(throws: lost) { try writer.close() }
    #expect(writer.failure == lost)
    #expect(reported.withLock { $0.filter { !$0.isWarning } } == [lost])
    #expect(try folder.names() == (name.isEmpty ? [] : ["logs"]))
    #expect(
      lost.message == """
        \(path): another program removed the log while it was recorded, and recording ended; leave a \
        log alone until it is closed
        """)
  }

  @Test("A log that is shortened ends its recording, and gets no end line without a header")
  func truncated() throws {
    let writer = try writer()
    #expect(unsafe truncate(path, 0) == 0)
    #expect(throws: error(.truncated)) { try writer.close() }
    #expect(reported.withLock { $0 } == [error(.truncated)])
    #expect(try folder.names() == ["logs", "logs/a.jsonl"])
    #expect(try folder.bytes(of: "logs/a.jsonl") == [])
  }

  @Test("A log that is renamed goes on in the renamed file, and that is told once")
  func moved() throws {
    let writer = try writer()
    try FileManager.default.moveItem(atPath: path, toPath: folder.path("logs/b.jsonl"))
    try writer.flush()
    append(2, to: writer)
    try writer.flush()
    let why = LogError.Reason.cannotExport(why: "another program removed or renamed the log")
    #expect(throws: LogError(path: path, reason: why)) {
      try writer.export(.all, to: folder.path("part.jsonl"))
    }
    try writer.close()
    #expect(reported.withLock { $0 } == [error(.moved)])
    #expect(try folder.names() == ["logs", "logs/b.jsonl"])
    #expect(
      try LogFile.opened(folder.path("logs/b.jsonl")).end == LogEnd(steps: 2, isComplete: true))
  }
}
