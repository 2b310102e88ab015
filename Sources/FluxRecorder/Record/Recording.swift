import FluxCore
import FluxJSON
import FluxLog
import Foundation
import Logging

/// A log that is being recorded; shared by ``Recorder`` and ``RecordingSession``.
final class Recording: Sendable {
  let writer: LogWriter
  /// The zero of the log's time.
  let created: Date
  /// The requested URL.
  private let requested: URL
  private let isSegmented: Bool
  private let clock: @Sendable () -> Date
  private let beginning = ContinuousClock.now

  /// Begins a log and writes its header to disk.
  ///
  /// `header` creates the header, given the redactor of its states.
  ///
  /// - Throws: `LogError` if the file cannot be created, `PointerError` if the redaction has a
  ///   malformed pointer, and the errors of `header`.
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
    options.onMismatch = { store, elementType in
      failures.noteMismatch(path: url.path, store: store, elementType: elementType)
    }
    let redactor = redaction.isEmpty ? nil : try Redactor(redaction)
    options.rewriter = redactor?.rewriter
    writer = try LogWriter(path: url.path, header: try header(redactor), options: options)
    self.created = created
    self.clock = clock
  }

  /// The file that is written; with a flight recorder, the current segment.
  var url: URL {
    let path = writer.path
    return path == requested.path ? requested : URL(filePath: path)
  }

  /// The path of the file, if it is not the requested one because another recorder is writing that.
  var movedPath: String? {
    let path = writer.path
    return isSegmented || path == requested.path ? nil : path
  }

  /// The monotonic time since the recording began.
  var age: Duration { beginning.duration(to: .now) }

  /// Returns the time of the log's clock, which may decrease.
  func now() -> LogTime { time(of: clock()) }

  /// Leaves out a step; the next written step contains its changes.
  func skip(_ envelope: Envelope, _ changes: ChangedStates, why: LogGap.Why) {
    writer.skip(
      step: envelope.step, changes: changes.records, why: why,
      action: LogValue(action: envelope.action))
  }

  /// Writes the model to which the app was set; `beginning` is its model in the header.
  ///
  /// While the recording is paused, the line contains no states.
  func restore(
    _ restoration: Restoration, beginning: (step: UInt64?, next: UInt64), isPaused: Bool
  ) {
    // Earlier steps are not in the log. The header's model can be an old one, if it was restored before.
    let step = restoration.step.flatMap { step in
      step == beginning.step ? beginning.next &- 1 : step >= beginning.next ? step : nil
    }
    writer.restore(
      after: step, next: restoration.nextStep,
      changes: ChangedStates(restoration.changed, in: restoration.model).records,
      tellsStates: !isPaused)
  }

  func time(of date: Date) -> LogTime { LogTime(of: date, since: created) }
}

/// Stores the first failure of a recording, and logs it once.
///
/// A failure before the log is begun is stored separately. It is logged too, but `flush()` and
/// `close()` do not throw it, because an app without a log keeps running as if it had one.
final class FirstFailure: @unchecked Sendable {
  // Sendable: `lock` guards the variables.

  private let logger: Logger
  private let lock = Lock()
  private var isBegun = false
  private var opening: LogError?
  private var recording: LogError?
  /// A problem that did not end the recording, and left the log whole.
  private var warning: LogError?

  init(_ logger: Logger) {
    self.logger = logger
  }

  /// The first failure, before or after the log was begun.
  var error: LogError? { lock.withLock { opening ?? recording ?? warning } }
  /// The first failure after the log was begun.
  var recordingError: LogError? { lock.withLock { recording } }

  func report(_ error: LogError) {
    if error.isWarning { return warn(error) }
    let isFirst = lock.withLock { () -> Bool in
      guard isBegun else {
        defer { opening = opening ?? error }
        return opening == nil
      }
      defer { recording = recording ?? error }
      return recording == nil
    }
    if isFirst { logger.error("recording failed: \(error.message)") }
  }

  private func warn(_ error: LogError) {
    let isFirst = lock.withLock { () -> Bool in
      defer { warning = warning ?? error }
      return warning == nil
    }
    if isFirst { logger.warning("\(error.message)") }
  }

  /// Logs that the elements of a type could not be remembered; the recording continues.
  func noteMismatch(path: String, store: String, elementType: String) {
    logger.notice(
      """
      \(path): store \(store): an unchanged \(elementType) has another text than before, because \
      its encode(to:) reads something that is not part of the value. Earlier states in the log may \
      be out of date. This state is written whole, and elements of this type are encoded in full \
      from now on. Set remembersElements to false to encode all elements in full.
      """)
  }

  /// Begins a log with `body`, and logs a notice if its file is not the requested one.
  ///
  /// - Returns: The recording; nil if it cannot begin. The reason is reported.
  func beginning(path: String, step: UInt64, _ body: () throws -> Recording) -> Recording? {
    do {
      let recording = try body()
      lock.withLock { isBegun = true }
      if let place = recording.movedPath {
        logger.notice("\(path): another recorder is writing this log; this one writes \(place)")
      }
      return recording
    } catch let error as LogError {
      report(error)
    } catch let error as PointerError {
      report(LogError(path: path, reason: .unusableOptions(why: "redaction: \(error)")))
    } catch let error as EncodingFailure {
      let reason = LogError.Reason.cannotEncode(step: step, store: error.store, why: error.why)
      report(LogError(path: path, reason: reason))
    } catch {
      report(LogError(path: path, reason: .unusableOptions(why: EncodingFailure.reason(error))))
    }
    return nil
  }
}

extension LogTime {
  /// Creates the time of `date` in a log that was created at `created`.
  init(of date: Date, since created: Date) {
    self.init(
      microseconds: UInt64(max(0, (date.timeIntervalSince(created) * 1e6).rounded())))
  }
}

extension LogInstant {
  /// Creates the instant of `date`, in whole microseconds.
  init(of date: Date) {
    self.init(microseconds: Int64((date.timeIntervalSince1970 * 1e6).rounded()))
  }
}

extension Date {
  /// Creates the date of a step in whole microseconds: the time of the log after its beginning.
  init(_ created: LogInstant, plus time: LogTime) {
    let (sum, overflows) = created.microseconds.addingReportingOverflow(
      Int64(clamping: time.microseconds))
    // The reference date of `Date`, in 2001.
    let (since2001, underflows) = sum.subtractingReportingOverflow(978_307_200_000_000)
    self =
      overflows || underflows
      ? .distantFuture : Date(timeIntervalSinceReferenceDate: Double(since2001) / 1e6)
  }
}

extension LogHeader {
  /// Creates the header of a new log, without its stores.
  init(created: Date, seed: UInt64?, first: UInt64, app: App?, redacted: [String]) {
    self.init(
      log: UUID().uuidString.lowercased(), created: LogInstant(of: created),
      seed: seed, first: first, app: app,
      platform: Platform(os: operatingSystem, swift: swiftVersion), redacted: redacted)
  }
}

extension LogHeader.Store {
  /// Describes a store with its redacted state before the first step.
  ///
  /// - Throws: `EncodingFailure` if the state cannot be encoded, and the errors of the redactor.
  init(
    name: String, type: String?, isFeature: Bool, state: (any Encodable)?, _ redactor: Redactor?
  ) throws {
    var initial: JSON?
    if let state {
      let json: JSON
      do {
        json = try LogEncoder().encode(state)
      } catch {
        throw EncodingFailure(store: name, why: EncodingFailure.reason(error))
      }
      initial = try redactor?.rewrite(.state(name), json) ?? json
    }
    self.init(name: name, type: type, isFeature: isFeature, initial: initial)
  }
}

private let operatingSystem: String = {
  #if os(Linux)
    "Linux"
  #elseif os(macOS)
    "macOS"
  #else
    ProcessInfo.processInfo.operatingSystemVersionString
  #endif
}()

private let swiftVersion: String = {
  #if swift(>=6.4)
    "6.4"
  #elseif swift(>=6.3)
    "6.3"
  #else
    "6.2"
  #endif
}()
