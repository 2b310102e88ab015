import FluxCore
import FluxLog
import Foundation

/// A log that is being recorded: what ``Recorder`` and ``RecordingSession`` have in common.
final class Recording: Sendable {
  let writer: LogWriter
  /// The zero of the log's time.
  let created: Date
  private let clock: @Sendable () -> Date
  private let beginning = ContinuousClock.now

  /// Begins a log; its header is on the disk afterwards.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - options: How it is written; rewriter and report of failures are set here.
  ///   - redaction: What is never written.
  ///   - failures: Where failures go.
  ///   - created: The zero of the log's time.
  ///   - clock: The clock of the log.
  ///   - header: Makes the header, given what states are redacted with.
  /// - Throws: `LogError` where the file cannot be made, `PointerError` where the redaction has a pointer that
  ///   is none, and what `header` throws.
  init(
    url: URL, _ options: LogWriter.Options, _ redaction: Redaction, _ failures: FirstFailure,
    created: Date, clock: @escaping @Sendable () -> Date,
    header: (Redactor?) throws -> LogHeader
  ) throws {
    var options = options
    options.onFailure = { failures.report($0) }
    let redactor = redaction.isEmpty ? nil : try Redactor(redaction)
    options.rewriter = redactor?.rewriter
    writer = try LogWriter(path: url.path, header: try header(redactor), options: options)
    self.created = created
    self.clock = clock
  }

  /// How long ago the recording began, by a clock that never goes back.
  var age: Duration { beginning.duration(to: .now) }

  /// The time by the log's clock, which may go back.
  func now() -> LogTime { time(of: clock()) }

  /// Leaves a step out, and takes in what it has changed all the same.
  func skip(_ envelope: Envelope, _ changes: ChangedStates, why: LogGap.Why) {
    writer.skip(
      step: envelope.step, changes: changes.records, why: why,
      action: LogValue(action: envelope.action))
  }

  /// A time as the log has it.
  func time(of date: Date) -> LogTime { LogTime(of: date, since: created) }
}

extension LogTime {
  /// The time of a date in a log that was created at another one.
  init(of date: Date, since created: Date) {
    self.init(
      microseconds: UInt64(max(0, (date.timeIntervalSince(created) * 1e6).rounded())))
  }
}
