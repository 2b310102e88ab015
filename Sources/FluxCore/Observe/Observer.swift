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
@usableFromInline
struct StepEvent: ~Copyable {
  @usableFromInline let old: StateSnapshot
  @usableFromInline let new: StateSnapshot
  @usableFromInline let step: UInt64
  private let reference: ActionReference

  init(old: StateSnapshot, new: StateSnapshot, step: UInt64, reference: ActionReference) {
    self.old = old
    self.new = new
    self.step = step
    self.reference = reference
  }

  @usableFromInline var action: any Action { reference.action }
}
