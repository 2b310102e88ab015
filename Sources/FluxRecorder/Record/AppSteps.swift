import Dispatch
import FluxCore
import Foundation

/// The steps that an app without a dispatcher records itself.
final class AppSteps: @unchecked Sendable {
  // Sendable: `lock` guards the variables; everything else is constant.

  let seed: UInt64
  let clock: @Sendable () -> Date
  private let lock = Lock()
  private let isFree = Lock.Condition()
  /// The thread that began the step in progress, or ``mainQueue``; nil if there is none.
  ///
  /// Not a recursive lock, which only this thread could release: another thread may release the last reference to an
  /// ``OpenStep``. The object, unlike the system's identity of a thread, is not used again for another one while it is
  /// kept here, even if the thread has ended.
  private var owner: AnyObject?
  /// The owner of the steps that begin on the main queue, which where a program has no run loop, as on Linux, continues on
  /// another thread after each suspension of the main actor.
  private static let mainQueue = DispatchQueue.main
  /// Lets dispatches inside a step not wait for a dispatcher whose turn a thread has that waits here.
  private let turn = OtherTurn()
  private var number: UInt64 = 0
  /// The number of actions that have begun and not ended; all but the first are inside its step.
  private var depth = 0
  private var wasNested = false

  enum Entry: Equatable {
    /// A new step has this number.
    case step(UInt64)
    /// The step with this number is open; `isFirst` is `true` the first time that this happens.
    case nested(in: UInt64, isFirst: Bool)
  }

  init(seed: UInt64, clock: @escaping @Sendable () -> Date) {
    self.seed = seed
    self.clock = clock
  }

  /// Waits for the turn, unless this thread, or the main queue on any thread, has it.
  func enter() -> Entry {
    let caller: AnyObject = MainQueue.isCurrent ? Self.mainQueue : Thread.current
    lock.lock()
    defer { lock.unlock() }
    while let owner, owner !== caller { isFree.wait(lock) }
    owner = caller
    depth += 1
    guard depth > 1 else {
      number += 1
      turn.begin()
      return .step(number)
    }
    defer { wasNested = true }
    return .nested(in: number, isFirst: !wasNested)
  }

  /// Ends the step, or an action inside it, on any thread.
  func leave() {
    let ended = lock.withLock { () -> (AnyObject?, Thread?) in
      depth -= 1
      guard depth == 0 else { return (nil, nil) }
      defer { isFree.signal() }
      return (owner.take(), turn.end())
    }
    // Released without the lock.
    withExtendedLifetime(ended) {}
  }
}
