import Synchronization

/// Keeps something going, an observation or a query, until it is cancelled or let go.
///
/// It may be let go on any thread, also inside a reducer or an observer.
public final class Receipt: Sendable {
  private let isCancelled = Atomic(false)
  private let onCancel: @Sendable () -> Void

  init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = onCancel
  }

  deinit {
    cancel()
  }

  /// Ends it; further calls do nothing.
  ///
  /// An observer gets nothing more from here on, also where the present step has not reached it yet.
  public func cancel() {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    onCancel()
  }
}
