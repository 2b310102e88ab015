/// Identifies an observation by its owner and its subject.
struct OwnedObservation: Hashable, @unchecked Sendable {
  // Sendable: a key path is immutable, and it is only compared.

  enum Subject: Hashable {
    case store(Int)
    case model
    /// The property of the owner that follows a selector.
    case property(AnyKeyPath)
  }

  let owner: ObjectIdentifier
  let subject: Subject
}

/// The observations that have an owner: at most one for each owner and subject.
final class OwnedObservations: @unchecked Sendable {
  // Sendable: `lock` guards the variable.
  private let lock = Lock()
  private var entries: [OwnedObservation: Entry] = [:]

  private struct Entry {
    /// Stops deliveries that are on their way to the main actor.
    let cancellation: Cancellation
    let receipt: Receipt
  }

  /// Keeps the receipt of an observation, which replaces an earlier one.
  func begin(_ key: OwnedObservation, _ cancellation: Cancellation, _ receipt: Receipt) {
    let entry = Entry(cancellation: cancellation, receipt: receipt)
    end(lock.withLock { entries.updateValue(entry, forKey: key) })
  }

  /// Ends an observation; if `cancellation` is given, only if no other observation has replaced it.
  func end(_ key: OwnedObservation, if cancellation: Cancellation? = nil) {
    let ended = lock.withLock { () -> Entry? in
      if let cancellation, entries[key]?.cancellation !== cancellation { return nil }
      return entries.removeValue(forKey: key)
    }
    end(ended)
  }

  // Called without the lock, because ending an observation takes other locks.
  private func end(_ entry: Entry?) {
    entry?.cancellation.cancel()
    entry?.receipt.cancel()
  }
}
