import Foundation
import Logging

/// Keeps the messages of a logger.
final class LogMessages: LogHandler, @unchecked Sendable {
  // Sendable: guarded by `lock`.
  private let lock = NSLock()
  private var lines: [String] = []
  private var action: (@Sendable () -> Void)?

  /// Called with each message, on the thread that logs it.
  var onMessage: (@Sendable () -> Void)? {
    get { lock.withLock { action } }
    set { lock.withLock { action = newValue } }
  }
  var texts: [String] { lock.withLock { lines } }
  var logger: Logger { Logger(label: "test") { _ in self } }
  var logLevel: Logger.Level {
    get { .trace }
    set {}
  }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    lock.withLock { lines.append("\(event.level): \(event.message)") }
    onMessage?()
  }
}
