import Foundation

/// Stops effects under a name until a test opens it; cancellation does not open it.
final class Gate: @unchecked Sendable {
  // Sendable: `lock` guards the variables.
  private let lock = NSLock()
  private var opened: Set<String> = []
  private var arrived: Set<String> = []
  private var stopped: [String: [CheckedContinuation<Void, Never>]] = [:]
  private var watchers: [String: [CheckedContinuation<Void, Never>]] = [:]

  /// Waits until the name is opened.
  func pass(_ name: String) async {
    let due = lock.withLock { () -> [CheckedContinuation<Void, Never>] in
      arrived.insert(name)
      return watchers.removeValue(forKey: name) ?? []
    }
    for watcher in due { watcher.resume() }
    await withCheckedContinuation { continuation in
      let isOpen = lock.withLock { () -> Bool in
        if !opened.contains(name) { stopped[name, default: []].append(continuation) }
        return opened.contains(name)
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Waits until an effect has arrived at the gate under the name.
  func arrival(of name: String) async {
    await withCheckedContinuation { continuation in
      let isThere = lock.withLock { () -> Bool in
        if !arrived.contains(name) { watchers[name, default: []].append(continuation) }
        return arrived.contains(name)
      }
      if isThere { continuation.resume() }
    }
  }

  /// Opens a name: effects under it continue, now and later.
  func open(_ name: String) {
    let due = lock.withLock { () -> [CheckedContinuation<Void, Never>] in
      opened.insert(name)
      return stopped.removeValue(forKey: name) ?? []
    }
    for continuation in due { continuation.resume() }
  }
}
