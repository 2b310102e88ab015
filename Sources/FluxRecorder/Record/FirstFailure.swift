import FluxCore
import FluxLog
import Logging

/// Keeps what failed first while recording, and logs it once.
final class FirstFailure: @unchecked Sendable {
  // Sendable: the variable is guarded by `lock`.
  private let logger: Logger
  private let lock = Lock()
  private var first: LogError?

  init(_ logger: Logger) {
    self.logger = logger
  }

  var error: LogError? { lock.withLock { first } }

  func report(_ error: LogError) {
    let isFirst = lock.withLock { () -> Bool in
      defer { first = first ?? error }
      return first == nil
    }
    if isFirst { logger.error("recording failed: \(error.message)") }
  }

  /// Does something that a log cannot be begun without; nil, and reported, where it fails.
  func reporting<Result>(path: String, step: UInt64, _ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch let error as LogError {
      report(error)
    } catch let error as PointerError {
      report(LogError(path: path, reason: .unusableOptions(why: "redaction: \(error)")))
    } catch {
      let why = EncodingFailure.reason(error)
      report(LogError(path: path, reason: .cannotEncode(step: step, store: nil, why: why)))
    }
    return nil
  }
}
