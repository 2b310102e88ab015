import FluxLog
import Foundation

/// A log that is being recorded: what ``Recorder`` and ``RecordingSession`` have in common.
final class Recording: Sendable {
  let writer: LogWriter
  private let created: Date

  /// Begins a log; its header is on the disk afterwards.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - options: How it is written; rewriter and report of failures are set here.
  ///   - redaction: What is never written.
  ///   - failures: Where failures go.
  ///   - created: The zero of the log's time.
  ///   - header: Makes the header, given what states are redacted with.
  /// - Throws: `LogError` where the file cannot be made, `PointerError` where the redaction has a pointer that
  ///   is none, and what `header` throws.
  init(
    url: URL, _ options: LogWriter.Options, _ redaction: Redaction, _ failures: FirstFailure,
    created: Date, header: (Redactor?) throws -> LogHeader
  ) throws {
    var options = options
    options.onFailure = { failures.report($0) }
    let redactor = redaction.isEmpty ? nil : try Redactor(redaction)
    options.rewriter = redactor?.rewriter
    writer = try LogWriter(path: url.path, header: try header(redactor), options: options)
    self.created = created
  }

  /// A time as the log has it: since the log was created.
  func time(of date: Date) -> LogTime {
    LogTime(microseconds: UInt64(max(0, (date.timeIntervalSince(created) * 1e6).rounded())))
  }
}
