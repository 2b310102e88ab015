import Dispatch

extension StoreHandle {
  /// Calls a view or another object of the main actor back with a value made of the state, whenever that
  /// value changes.
  ///
  /// The object is held weakly, and has at most one observation of the store: a later one replaces it.
  /// Every value arrives, in order, on the main actor; at once where the step ran there.
  ///
  /// - Parameters:
  ///   - owner: The object; the observation ends with it.
  ///   - initial: Whether to call back at once with the present value, before this returns.
  ///   - select: Makes the value, `\.items.count` for example.
  ///   - callback: Gets the object and the value.
  @MainActor
  public func observe<Owner: AnyObject & Sendable, Value: Equatable & Sendable>(
    for owner: Owner, initial: Bool = true, _ select: @escaping @Sendable (S.State) -> Value,
    _ callback: @escaping @MainActor (Owner, Value) -> Void
  ) {
    let key = OwnedObservation(owner: ObjectIdentifier(owner), slot: index)
    let owned = dispatcher.engine.owned
    owned.end(key)
    let delivery = MainActorDelivery<Value> { [weak owner] value in
      guard let owner else { return owned.end(key) }
      callback(owner, value)
    }
    owned.begin(
      key, observe(initial: initial, select) { value in delivery.deliver(value) })
  }
}

/// Whose observation of which store.
struct OwnedObservation: Hashable, Sendable {
  let owner: ObjectIdentifier
  let slot: Int
}

/// The observations that belong to objects, one for each object and store.
final class OwnedObservations: @unchecked Sendable {
  // Sendable: the variable is guarded by `lock`.
  private let lock = Lock()
  private var receipts: [OwnedObservation: Receipt] = [:]

  func begin(_ key: OwnedObservation, _ receipt: Receipt) {
    // What was there is let go outside the lock, because its end takes others.
    let replaced = lock.withLock { receipts.updateValue(receipt, forKey: key) }
    withExtendedLifetime(replaced) {}
  }

  func end(_ key: OwnedObservation) {
    let ended = lock.withLock { receipts.removeValue(forKey: key) }
    withExtendedLifetime(ended) {}
  }
}

/// Brings values to the main actor, in the order in which they came.
private final class MainActorDelivery<Value: Sendable>: @unchecked Sendable {
  // Sendable: the variable is guarded by `lock`.
  private let lock = Lock()
  private var waiting = Queue<Value>()
  private let callback: @MainActor (Value) -> Void

  init(_ callback: @escaping @MainActor (Value) -> Void) {
    self.callback = callback
  }

  func deliver(_ value: Value) {
    lock.withLock { waiting.append(value) }
    if MainQueue.isCurrent {
      MainActor.assumeIsolated { deliverWaiting() }
    } else {
      Task { @MainActor in deliverWaiting() }
    }
  }

  @MainActor
  private func deliverWaiting() {
    while let value = lock.withLock({ waiting.popFirst() }) { callback(value) }
  }
}

/// The queue of the main actor, which on Linux need not run on the main thread.
private enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
