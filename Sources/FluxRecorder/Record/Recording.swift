import FluxCore
import FluxLog
import Foundation

/// A log that is being recorded: what ``Recorder`` and ``RecordingSession`` have in common.
final class Recording: Sendable {
  let writer: LogWriter
  /// The zero of the log's time.
  let created: Date
  /// The URL that was asked for.
  private let requested: URL
  private let isSegmented: Bool
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
  /// - Throws: `LogError` if the file cannot be created, `PointerError` if the redaction has a malformed pointer,
  ///   and the errors of `header`.
  init(
    url: URL, _ options: LogWriter.Options, _ redaction: Redaction, _ failures: FirstFailure,
    created: Date, clock: @escaping @Sendable () -> Date,
    header: (Redactor?) throws -> LogHeader
  ) throws {
    guard url.isFileURL else {
      let why = "this is not a file URL; make one with URL(filePath:)"
      throw LogError(path: url.absoluteString, reason: .unusableOptions(why: why))
    }
    requested = url
    isSegmented = options.retention != nil
    var options = options
    options.onFailure = { failures.report($0) }
    let redactor = redaction.isEmpty ? nil : try Redactor(redaction)
    options.rewriter = redactor?.rewriter
    writer = try LogWriter(path: url.path, header: try header(redactor), options: options)
    self.created = created
    self.clock = clock
  }

  /// The file that is written: with a flight recorder, the current segment.
  var url: URL {
    let path = writer.path
    return path == requested.path ? requested : URL(filePath: path)
  }

  /// The file that is written if another recorder has the one that was asked for.
  var movedPath: String? {
    let path = writer.path
    return isSegmented || path == requested.path ? nil : path
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
