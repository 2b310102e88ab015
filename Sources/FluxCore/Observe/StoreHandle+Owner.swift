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
    let cancellation = Cancellation()
    owned.end(key)
    let delivery = MainActorDelivery<Value>(cancellation) { [weak owner] value in
      if let owner { callback(owner, value) }
    }
    // A dead owner selects nothing, and its observation ends with the next step of the store.
    let select: @Sendable (S.State) -> Value? = { [weak owner] state in
      owner == nil ? nil : select(state)
    }
    let mailbox = Mailbox<Value?>(cancellation) { value in
      guard let value else { return owned.end(key, if: cancellation) }
      delivery.deliver(value)
    }
    let observer = Observer(cancellation) { event in
      mailbox.deliverIfNew(select(event.new.state(as: S.State.self)))
    }
    let (receipt, snapshot) = dispatcher.engine.register(observer, at: index, cancellation)
    // Before the first call, which may observe for the same owner again and so replace this one.
    owned.begin(key, cancellation, receipt)
    mailbox.open(with: select(snapshot.state(as: S.State.self)), isWanted: initial)
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
  private var entries: [OwnedObservation: Entry] = [:]

  private struct Entry {
    /// What its deliveries on the way to the main actor look at.
    let cancellation: Cancellation
    let receipt: Receipt
  }

  func begin(_ key: OwnedObservation, _ cancellation: Cancellation, _ receipt: Receipt) {
    let entry = Entry(cancellation: cancellation, receipt: receipt)
    end(lock.withLock { entries.updateValue(entry, forKey: key) })
  }

  /// Ends an observation; where one is named, only if no other has taken its place.
  func end(_ key: OwnedObservation, if cancellation: Cancellation? = nil) {
    let ended = lock.withLock { () -> Entry? in
      if let cancellation, entries[key]?.cancellation !== cancellation { return nil }
      return entries.removeValue(forKey: key)
    }
    end(ended)
  }

  // Outside the lock, because the end of an observation takes others.
  private func end(_ entry: Entry?) {
    entry?.cancellation.cancel()
    entry?.receipt.cancel()
  }
}

/// Brings values to the main actor, in the order in which they came.
private final class MainActorDelivery<Value: Sendable>: @unchecked Sendable {
  // Sendable: the variable is guarded by `lock`.
  private let lock = Lock()
  private var waiting = Queue<Value>()
  private let cancellation: Cancellation
  private let callback: @MainActor (Value) -> Void
  @MainActor private var isDelivering = false

  init(_ cancellation: Cancellation, _ callback: @escaping @MainActor (Value) -> Void) {
    self.cancellation = cancellation
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
    // A callback may dispatch, and so come here again: what that brings waits for the callback's end.
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    while !cancellation.isCancelled, let value = lock.withLock({ waiting.popFirst() }) {
      callback(value)
    }
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
