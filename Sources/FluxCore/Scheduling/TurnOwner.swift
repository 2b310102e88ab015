package import Foundation
import Synchronization

/// The thread that has the turn of one dispatcher.
final class TurnOwner: Sendable {
  static let nobody: UInt = 0
  static let contended: UInt = 1

  /// The owners of all turns in the process.
  private static let all = Registry<TurnOwner>()

  /// The owner's thread identity, or `nobody`.
  ///
  /// The lowest bit means that the turn cannot end before the owner has looked at the queue.
  let word = Atomic<UInt>(nobody)

  init() {
    Self.all.add(self)
  }

  deinit {
    Self.all.remove(ObjectIdentifier(self))
  }

  /// `true` if the current thread has the turn of any dispatcher, or an ``OtherTurn``.
  ///
  /// Two threads that each have a turn and wait for the other's would wait forever. A thread that is about to wait asks
  /// here. Threads that need not wait never ask.
  static var hasAnyTurn: Bool {
    let thread = currentThreadIdentity()
    return all.objects.contains { $0.word.load(ordering: .acquiring) & ~contended == thread }
      || OtherTurn.isCurrent
  }
}

/// A turn of a thread that is not a dispatcher's: the step of an app without a dispatcher, or the writing of a log.
///
/// Threads in a dispatcher's turn may wait for it. Meanwhile, the thread waits for no turn of a dispatcher: its dispatches are
/// queued if another thread has the turn.
package final class OtherTurn: @unchecked Sendable {
  // Sendable: `lock` guards the variable.

  private static let all = Registry<OtherTurn>()

  private let lock = Lock()
  /// The thread that has it; nil if none does.
  ///
  /// The object, unlike the system's identity of a thread, is not used again for another one while it is kept here: a
  /// thread may end without ending its step.
  private var thread: Thread?

  package init() {
    Self.all.add(self)
  }

  deinit {
    Self.all.remove(ObjectIdentifier(self))
  }

  /// Gives it to the current thread.
  package func begin() {
    let current = Thread.current
    lock.withLock { thread = current }
  }

  /// Ends it, on any thread; returns the thread that had it, to be released outside of any lock.
  ///
  /// If that thread has ended, the last reference to it releases objects of the app, whose deinitializers may dispatch.
  @discardableResult
  package func end() -> Thread? { lock.withLock { thread.take() } }

  static var isCurrent: Bool {
    let current = Thread.current
    return all.objects.contains { turn in turn.lock.withLock { turn.thread === current } }
  }
}

/// The living objects of a class.
private final class Registry<Object: AnyObject>: @unchecked Sendable {
  // Sendable: `lock` guards the variable.

  private struct Reference {
    weak var object: Object?
  }

  private let lock = Lock()
  private var references: [ObjectIdentifier: Reference] = [:]

  func add(_ object: Object) {
    lock.withLock { references[ObjectIdentifier(object)] = Reference(object: object) }
  }

  func remove(_ object: ObjectIdentifier) {
    lock.withLock { references[object] = nil }
  }

  var objects: [Object] { lock.withLock { references.values.compactMap(\.object) } }
}
