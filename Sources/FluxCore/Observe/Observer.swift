/// A callback for the changes of one store, or of the stores that a selector reads.
@usableFromInline
final class Observer {
  @usableFromInline typealias Body = (borrowing StepEvent) -> Void

  /// The registration that follows the reads of a selector; nil for an observer of one store.
  let following: Registration?
  private let cancellation: Cancellation
  private let body: Body

  @usableFromInline
  init(
    _ cancellation: Cancellation, following: Registration? = nil, _ body: @escaping Body
  ) {
    self.following = following
    self.cancellation = cancellation
    self.body = body
  }

  @inline(__always)
  func stepCommitted(_ event: borrowing StepEvent) {
    if !cancellation.isCancelled { body(event) }
  }
}

/// The argument of an observer: one store's change in one step, or the model after the step.
///
/// It reads the values from the turn on demand, because passing references costs reference counting.
@safe
@usableFromInline
struct StepEvent: ~Copyable {
  // The turn that calls the observer keeps both alive.
  private let turn: UnsafePointer<Turn>
  private let committed: UnsafePointer<Model>
  private let slot: Int
  /// Nil if the model was restored.
  private let reference: ActionReference?

  @inline(__always)
  init(
    _ slot: Int, _ reference: ActionReference?, _ turn: borrowing TurnLocal<Turn>,
    _ committed: borrowing TurnLocal<Model>
  ) {
    unsafe self.turn = UnsafePointer(turn.pointer)
    unsafe self.committed = UnsafePointer(committed.pointer)
    self.slot = slot
    self.reference = reference
  }

  @usableFromInline var old: StateSnapshot {
    guard let old = unsafe turn.pointee.progress[slot].proposal else {
      preconditionFailure("A changed store keeps its old state until the step ends")
    }
    return old
  }

  @usableFromInline var new: StateSnapshot { unsafe committed.pointee.snapshots[slot] }

  /// The committed states, for one run of a selector; `registration` notes which of them it reads.
  @usableFromInline
  func reader(_ registration: Registration) -> ModelReader {
    unsafe ModelReader(model: committed, reads: registration.reads.pointer)
  }

  @usableFromInline var step: UInt64 { unsafe turn.pointee.stepNumber }
  @usableFromInline var action: (any Action)? { reference?.action }
}
