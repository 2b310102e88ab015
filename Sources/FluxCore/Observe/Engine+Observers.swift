extension Engine {
  /// The committed state of a store, as any thread may read it.
  @usableFromInline
  func snapshot(at index: Int) -> StateSnapshot {
    lock.withLock { published.value.snapshots[index] }
  }

  /// All committed states, as any thread may read them.
  var publishedModel: Model {
    lock.withLock { published.value }
  }

  /// Adds an observer, which misses no change after the state that is returned with its receipt.
  @usableFromInline
  func register(
    _ observer: Observer, at index: Int, _ cancellation: Cancellation
  ) -> (receipt: Receipt, snapshot: StateSnapshot) {
    let (order, snapshot) = lock.withLock { () -> (UInt64, StateSnapshot) in
      observerCount.value += 1
      observer.order = observerCount.value
      observers.value[index].append(observer)
      return (observer.order, published.value.snapshots[index])
    }
    let receipt = Receipt { [self] in
      cancellation.cancel()
      removeObserver(order, at: index)
    }
    return (receipt, snapshot)
  }

  /// Removes an observer, and lets it go only outside the lock: what it captured may have a
  /// deinitialiser that dispatches.
  func removeObserver(_ order: UInt64, at index: Int) {
    let removed = lock.withLock { () -> Observer? in
      guard let position = observers.value[index].firstIndex(where: { $0.order == order }) else {
        return nil
      }
      return observers.value[index].remove(at: position)
    }
    withExtendedLifetime(removed) {}
  }
}
