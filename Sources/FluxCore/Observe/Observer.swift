import Synchronization

/// Somebody who wants to know when a store changes.
@usableFromInline
final class Observer {
  @usableFromInline typealias Body = (borrowing StepEvent) -> Void

  /// The place among all observers of the dispatcher: they run in the order of registration.
  var order: UInt64 = 0
  private let cancellation: Cancellation
  private let body: Body

  @usableFromInline
  init(_ cancellation: Cancellation, _ body: @escaping Body) {
    self.cancellation = cancellation
    self.body = body
  }

  @inline(__always)
  func stepCommitted(_ event: borrowing StepEvent) {
    if !cancellation.isCancelled { body(event) }
  }
}

/// Whether an observer is still wanted: what its receipt shares with it.
///
/// A weak reference would do the same, at the price of slower retains of every observer in every step.
@usableFromInline
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  @usableFromInline
  init() {}

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() {
    flag.store(true, ordering: .relaxed)
  }
}

/// What an observer is told: one store's change in one step.
///
/// It reads on demand from the turn, because a reference that is handed on costs a count each time.
@usableFromInline
struct StepEvent: ~Copyable {
  private let engine: Engine
  private let slot: Int
  private let reference: ActionReference

  @inline(__always)
  init(_ slot: Int, _ reference: ActionReference, _ engine: Engine) {
    self.engine = engine
    self.slot = slot
    self.reference = reference
  }

  @usableFromInline var old: StateSnapshot {
    guard let old = engine.turn.value.progress[slot].proposal else {
      preconditionFailure("a store that changed keeps its old state to the end of the step")
    }
    return old
  }

  @usableFromInline var new: StateSnapshot { engine.published.value.snapshots[slot] }
  @usableFromInline var step: UInt64 { engine.turn.value.stepNumber }
  @usableFromInline var action: any Action { reference.action }
}
