import FluxSystem

/// The bytes on their way to a client.
///
/// Answers always find room, because the requests of a client that wait are bounded. Events that find none are
/// dropped, and the client is told how many as soon as it reads on.
struct Outbox {
  /// The number of bytes at which events are dropped.
  static let limit = 256 * 1024

  private var bytes: [UInt8] = []
  private var sent = 0
  private var droppedCount: UInt64 = 0
  /// The bytes that were sent, of all that were ever added.
  private(set) var sentCount = 0
  /// The codes of the lines; nil on a connection that needs none.
  private var code: MessageCode?

  init(_ code: MessageCode? = nil) { self.code = code }

  var unsent: ArraySlice<UInt8> { bytes[sent...] }

  var isEmpty: Bool { sent == bytes.count }

  /// The bytes that were ever added.
  var addedCount: Int { sentCount + byteCount }

  /// The bytes that wait.
  var byteCount: Int { bytes.count - sent }

  /// `true` if the client reads too slowly to get more.
  var isFull: Bool { byteCount >= Self.limit }

  mutating func add(_ line: [UInt8]) { bytes += code?.line(of: line) ?? line }

  /// Adds an event, or counts it as dropped.
  mutating func add(_ notification: LiveNotification) {
    guard !isFull else {
      droppedCount += notification.eventCount
      return
    }
    var notification = notification
    if droppedCount > 0 {
      if case .steps(let steps, let dropped) = notification {
        notification = .steps(steps, dropped: dropped + droppedCount)
      } else {
        append(.steps([], dropped: droppedCount))
      }
      droppedCount = 0
    }
    append(notification)
  }

  /// Removes all bytes, which nobody reads any more.
  mutating func removeAll() {
    bytes = []
    sent = 0
  }

  private mutating func append(_ notification: LiveNotification) {
    add(RPCLine.notification(notification.method, notification))
  }

  mutating func didSend(_ count: Int) {
    sent += count
    sentCount += count
    guard isEmpty || sent > Self.limit else { return }
    bytes.removeSubrange(..<sent)
    sent = 0
    if bytes.isEmpty, droppedCount > 0 {
      append(.steps([], dropped: droppedCount))
      droppedCount = 0
    }
  }
}

extension LiveNotification {
  /// The number of events that a client misses without the notification.
  fileprivate var eventCount: UInt64 {
    guard case .steps(let steps, let dropped) = self else { return 1 }
    return UInt64(steps.count) + dropped
  }
}
