import Foundation

/// What callbacks have said, in the order in which they said it, whatever threads they ran on.
final class Journal<Entry: Sendable>: @unchecked Sendable {
  // Sendable: the variable is guarded by `lock`.
  private let lock = NSLock()
  private var written: [Entry] = []

  var entries: [Entry] { lock.withLock { written } }

  func write(_ entry: Entry) {
    lock.withLock { written.append(entry) }
  }
}
