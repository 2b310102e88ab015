import Synchronization

/// The thread that has the turn of one dispatcher.
final class TurnOwner: Sendable {
  static let nobody: UInt = 0
  static let contended: UInt = 1

  /// The owner's thread identity, or `nobody`.
  ///
  /// The lowest bit means that the turn cannot end before the owner has looked at the queue.
  let word = Atomic<UInt>(nobody)
  /// `false` for what is no turn; see ``OtherTurn``.
  fileprivate let isTurn: Bool

  init(isTurn: Bool = true) {
    self.isTurn = isTurn
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

  static func hasTurn(_ thread: UInt) -> Bool { !owners(of: thread).isEmpty }

  /// `true` if a thread has an ``OtherTurn``.
  static func hasOtherTurn(_ thread: UInt) -> Bool { owners(of: thread).contains { !$0.isTurn } }

  private static func owners(of thread: UInt) -> [TurnOwner] {
    lock.withLock { unsafe references.values.compactMap(\.owner) }
      .filter { $0.word.load(ordering: .acquiring) & ~TurnOwner.contended == thread }
  }
}

/// A turn of a thread that is not a dispatcher's: the step of an app without a dispatcher, or the writing of a log.
///
/// Threads in a dispatcher's turn may wait for it. Meanwhile, the thread waits for no turn of a dispatcher: its dispatches are
/// queued if another thread has the turn.
package final class OtherTurn: Sendable {
  private let owner = TurnOwner(isTurn: false)

  package init() {}

  /// Gives it to the current thread.
  package func begin() { owner.word.store(currentThreadIdentity(), ordering: .releasing) }

  /// Ends it, on any thread.
  package func end() { owner.word.store(TurnOwner.nobody, ordering: .releasing) }
}
