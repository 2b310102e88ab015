import Synchronization

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

/// A flag that an observer or middleware shares with the receipt that cancels it.
///
/// A weak reference would serve too, but it makes retaining an observer slower in every step.
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

/// The argument of an observer: one store's change in one step, or the model after the step.
///
/// It reads the values from the turn on demand, because passing references costs reference counting.
@usableFromInline
struct StepEvent: ~Copyable {
  private let kernel: Kernel
  private let slot: Int
  /// Nil if the model was restored.
  private let reference: ActionReference?

  @inline(__always)
  init(_ slot: Int, _ reference: ActionReference?, _ kernel: Kernel) {
    self.kernel = kernel
    self.slot = slot
    self.reference = reference
  }

  @usableFromInline var old: StateSnapshot {
    guard let old = kernel.turn.value.progress[slot].proposal else {
      preconditionFailure("A changed store keeps its old state until the step ends")
    }
    return old
  }

  @usableFromInline var new: StateSnapshot { kernel.published.value.snapshots[slot] }

  /// The committed states, for one run of a selector; `registration` notes which of them it reads.
  @usableFromInline
  func reader(_ registration: Registration) -> ModelReader {
    registration.reads.value.removeAll()
    return unsafe ModelReader(
      model: UnsafePointer(kernel.published.pointer), reads: registration.reads.pointer)
  }

  @usableFromInline var step: UInt64 { kernel.turn.value.stepNumber }
  @usableFromInline var action: (any Action)? { reference?.action }
}

/// Keeps an observation or a query alive until it is cancelled or released.
///
/// It can be released on any thread, also inside a reducer or an observer.
public final class Receipt: Sendable {
  private let isCancelled = Atomic(false)
  private let onCancel: @Sendable () -> Void
  private let onRelease: @Sendable () -> Void

  /// - Parameters:
  ///   - onCancel: Ends the observation or query.
  ///   - onRelease: Ends it when the receipt is released, possibly while the app holds a lock: it must neither
  ///     wait nor run code of the app. The default is `onCancel`.
  init(
    onCancel: @escaping @Sendable () -> Void, onRelease: (@Sendable () -> Void)? = nil
  ) {
    self.onCancel = onCancel
    self.onRelease = onRelease ?? onCancel
  }

  deinit {
    if !isCancelled.load(ordering: .acquiring) { onRelease() }
  }

  /// Ends the observation or query; further calls do nothing.
  ///
  /// A cancelled observer is not called again, even if the current step has not reached it yet. A call that
  /// another thread has already begun runs to its end. A query is closed when this method returns, unless the
  /// call comes from inside a step. If the receipt is only released, a thread of the dispatcher closes the
  /// query soon afterwards.
  public func cancel() {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    onCancel()
  }
}
