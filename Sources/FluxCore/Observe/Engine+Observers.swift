extension Engine {
  /// The committed state of a store, as any thread may read it.
  @usableFromInline
  func snapshot(at index: Int) -> StateSnapshot {
    lock.withLock { published.value[index] }
  }

  /// All committed states, as any thread may read them.
  var publishedModel: Model {
    Model(layout: layout, snapshots: lock.withLock { published.value })
  }

  /// Adds an observer that starts from a state, and misses no change after it.
  ///
  /// Making the observer runs code of the app, which must not happen under the lock; where a step
  /// commits meanwhile, the observer is made again.
  @usableFromInline
  func register(
    at index: Int, _ cancellation: Cancellation, _ make: (StateSnapshot) -> Observer
  ) -> Receipt {
    while true {
      let snapshot = snapshot(at: index)
      let observer = make(snapshot)
      if append(observer, at: index, ifStill: snapshot) {
        let order = observer.order
        return Receipt { [self] in
          cancellation.cancel()
          removeObserver(order, at: index)
        }
      }
    }
  }

  private func append(_ observer: Observer, at index: Int, ifStill snapshot: StateSnapshot) -> Bool
  {
    lock.withLock {
      guard published.value[index] === snapshot else { return false }
      observerCount.value += 1
      observer.order = observerCount.value
      observers.value[index].append(observer)
      return true
    }
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
