import Synchronization

/// The thread that has the turn of one dispatcher.
final class TurnOwner: Sendable {
  static let nobody: UInt = 0
  static let contended: UInt = 1

  /// The owner's thread identity, or `nobody`.
  ///
  /// The lowest bit means that the turn cannot end before the owner has looked at the queue.
  let word = Atomic<UInt>(nobody)

  init() {
    TurnOwners.add(self)
  }

  deinit {
    TurnOwners.remove(ObjectIdentifier(self))
  }
}

/// The owners of all turns in the process.
///
/// Two threads that each have a turn and wait for the other's would wait forever. A thread that is about to
/// wait asks here if it has the turn of another dispatcher. Threads that need not wait never ask.
enum TurnOwners {
  private struct Reference {
    weak var owner: TurnOwner?
  }

  private static let lock = Lock()
  // Safe: only used under `lock`.
  nonisolated(unsafe) private static var references: [ObjectIdentifier: Reference] = [:]

  static func add(_ owner: TurnOwner) {
    lock.withLock { unsafe references[ObjectIdentifier(owner)] = Reference(owner: owner) }
  }

  static func remove(_ owner: ObjectIdentifier) {
    lock.withLock { unsafe references[owner] = nil }
  }

  static func hasTurn(_ thread: UInt) -> Bool {
    let owners = lock.withLock { unsafe references.values.compactMap(\.owner) }
    return owners.contains { $0.word.load(ordering: .acquiring) & ~TurnOwner.contended == thread }
  }
}
