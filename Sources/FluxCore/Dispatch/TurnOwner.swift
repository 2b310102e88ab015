import Synchronization

/// Which thread has the turn of a dispatcher.
final class TurnOwner: Sendable {
  static let nobody: UInt = 0
  static let crowded: UInt = 1

  /// A thread's identity, or nobody; the lowest bit says that the queue must be looked at.
  let word = Atomic<UInt>(nobody)

  init() {
    TurnOwners.add(self)
  }

  deinit {
    TurnOwners.remove(ObjectIdentifier(self))
  }
}

/// The owners of all turns of the process, so that a thread that would have to wait for one turn can tell
/// whether it has another: two threads that wait for each other's dispatchers would wait for ever.
///
/// It is only asked where a thread has to wait anyway.
enum TurnOwners {
  private struct Reference {
    weak var owner: TurnOwner?
  }

  private static let lock = Lock()
  nonisolated(unsafe) private static var references: [ObjectIdentifier: Reference] = [:]

  static func add(_ owner: TurnOwner) {
    // Guarded by `lock`, as all that follow.
    lock.withLock { unsafe references[ObjectIdentifier(owner)] = Reference(owner: owner) }
  }

  static func remove(_ owner: ObjectIdentifier) {
    lock.withLock { unsafe references[owner] = nil }
  }

  /// Whether a thread has the turn of any dispatcher.
  static func hasTurn(_ thread: UInt) -> Bool {
    let owners = lock.withLock { unsafe references.values.compactMap(\.owner) }
    return owners.contains { $0.word.load(ordering: .acquiring) & ~TurnOwner.crowded == thread }
  }
}
