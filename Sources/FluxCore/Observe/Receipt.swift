import Synchronization

/// Keeps something going, an observation or a query, until it is cancelled or let go.
///
/// It may be let go on any thread, also inside a reducer or an observer.
public final class Receipt: Sendable {
  private let isCancelled = Atomic(false)
  private let onCancel: @Sendable () -> Void
  private let onRelease: @Sendable () -> Void

  /// - Parameters:
  ///   - onCancel: Ends it.
  ///   - onRelease: Ends it where the receipt is let go, perhaps under a lock of the app: it must neither wait
  ///     nor run code of the app. The same as `onCancel` by default.
  init(
    onCancel: @escaping @Sendable () -> Void, onRelease: (@Sendable () -> Void)? = nil
  ) {
    self.onCancel = onCancel
    self.onRelease = onRelease ?? onCancel
  }

  deinit {
    if !isCancelled.load(ordering: .acquiring) { onRelease() }
  }

  /// Ends it; further calls do nothing.
  ///
  /// An observer gets nothing more from here on, also where the present step has not reached it yet; but a
  /// call that another thread has begun goes on. A query is closed when this returns, unless the call comes
  /// from inside a step; one that is only let go is closed soon, by a thread of the dispatcher.
  public func cancel() {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    onCancel()
  }
}
