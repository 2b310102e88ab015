import Synchronization

/// Keeps an observation or a query alive until it is cancelled or released.
///
/// It can be released on any thread, also inside a reducer or an observer.
public final class Receipt: Sendable {
  private let isCancelled = Atomic(false)
  private let onCancel: @Sendable () -> Void
  private let onRelease: @Sendable () -> Void

  /// Creates a receipt; `onRelease`, by default `onCancel`, ends the observation or query when the receipt is released.
  ///
  /// That is possibly while the app holds a lock: `onRelease` must neither wait nor run code of the app.
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
