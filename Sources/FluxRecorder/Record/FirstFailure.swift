import FluxCore
import FluxJSON
import FluxLog
import Logging

/// Stores the first failure of a recording, and logs it once.
///
/// A failure before the log is created is stored separately. It is logged too, but `flush()` and
/// `close()` do not throw it, because an app without a log keeps running as if it had one.
final class FirstFailure: @unchecked Sendable {
  // Sendable: `lock` guards the variables.

  let logger: Logger
  private let lock = Lock()
  private var isBegun = false
  private var opening: LogError?
  private var recording: LogError?
  /// The problems that did not end the recording.
  private var warningList: [LogError] = []

  init(_ logger: Logger) {
    self.logger = logger
  }

  /// The first failure, before or after the log was created.
  var error: LogError? { lock.withLock { opening ?? recording ?? warningList.first } }
  /// The first failure after the log was created.
  var recordingError: LogError? { lock.withLock { recording } }

  /// `true` if there is a failure that is no warning.
  var hasFailed: Bool { lock.withLock { opening != nil || recording != nil } }

  var warnings: [LogError] { lock.withLock { warningList } }

  func report(_ error: LogError) {
    if error.isWarning { return warn(error) }
    let (isFirst, continues) = lock.withLock { () -> (Bool, Bool) in
      guard isBegun else {
        defer { opening = opening ?? error }
        return (opening == nil, false)
      }
      defer { recording = recording ?? error }
      // After a step that cannot be encoded, recording may still fail.
      let isFirst = recording.map { $0.isOfOneStep && !error.isOfOneStep } ?? true
      return (isFirst, error.isOfOneStep)
    }
    guard isFirst else { return }
    let what =
      continues ? "a step is missing from the log, and recording continues" : "recording failed"
    logger.error("\(what): \(error.message)")
  }

  /// Keeps a warning and logs it, unless it is known.
  private func warn(_ warning: LogError) {
    let isNew = lock.withLock { () -> Bool in
      guard !warningList.contains(warning) else { return false }
      warningList.append(warning)
      return true
    }
    if isNew { logger.warning("\(warning.message)") }
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

extension LogError {
  /// `true` if one step cannot be written, and recording continues with a later one.
  fileprivate var isOfOneStep: Bool {
    if case .cannotEncode = reason { true } else { false }
  }
}
