import Dispatch

struct OwnedObservation: Hashable, @unchecked Sendable {
  // Sendable: a key path is immutable, and it is only compared.

  enum Subject: Hashable {
    case store(Int)
    case model
    /// The property of the owner that follows a selector.
    case property(AnyKeyPath)
  }

  let owner: ObjectIdentifier
  let subject: Subject
}

/// The observations that have an owner: at most one for each owner and subject.
final class OwnedObservations: @unchecked Sendable {
  // Sendable: `lock` guards the variable.
  private let lock = Lock()
  private var entries: [OwnedObservation: Entry] = [:]

  private struct Entry {
    /// Stops deliveries that are on their way to the main actor.
    let cancellation: Cancellation
    let receipt: Receipt
  }

  /// Begins an observation whose values arrive on the main actor.
  ///
  /// - Parameters:
  ///   - owner: The object, held weakly.
  ///   - subject: What the object observes; an earlier observation of the same subject ends.
  ///   - callback: Gets the object and a value.
  ///   - attach: Lets the view take part in presentations until the returned receipt is cancelled.
  ///   - start: Registers an observer that passes each value to `receive`, and nil once the owner is released.
  ///     It calls `registered` before the first value, because the callback may observe the subject again.
  @MainActor
  func observe<Owner: AnyObject & Sendable, Value: Equatable & Sendable>(
    for owner: Owner, _ subject: OwnedObservation.Subject,
    _ callback: @escaping @MainActor (Owner, Value) -> Void,
    attach: @escaping (PresentedView<Value>, Receipt) -> Receipt,
    _ start: (
      _ cancellation: Cancellation, _ receive: @escaping @Sendable (Value?) -> Void,
      _ registered: (Receipt) -> Void
    ) -> Void
  ) {
    let key = OwnedObservation(owner: ObjectIdentifier(owner), subject: subject)
    let cancellation = Cancellation()
    end(key)
    let delivery = MainActorDelivery<Value>(cancellation) { [weak owner] value in
      if let owner { callback(owner, value) }
    }
    let view = PresentedView(delivery)
    let receive: @Sendable (Value?) -> Void = { [self] value in
      guard let value else { return end(key, if: cancellation) }
      view.update(value)
    }
    start(cancellation, receive) { begin(key, cancellation, attach(view, $0)) }
  }

  private func begin(_ key: OwnedObservation, _ cancellation: Cancellation, _ receipt: Receipt) {
    let entry = Entry(cancellation: cancellation, receipt: receipt)
    end(lock.withLock { entries.updateValue(entry, forKey: key) })
  }

  /// Ends an observation; if `cancellation` is given, only if no other observation has replaced it.
  private func end(_ key: OwnedObservation, if cancellation: Cancellation? = nil) {
    let ended = lock.withLock { () -> Entry? in
      if let cancellation, entries[key]?.cancellation !== cancellation { return nil }
      return entries.removeValue(forKey: key)
    }
    end(ended)
  }

  // Called without the lock, because ending an observation takes other locks.
  private func end(_ entry: Entry?) {
    entry?.cancellation.cancel()
    entry?.receipt.cancel()
  }
}

final class MainActorDelivery<Value: Sendable>: @unchecked Sendable {
  // Sendable: `lock` guards the variable.
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
    append(value)
    deliver()
  }

  /// Adds a value for ``deliver()``.
  func append(_ value: Value) {
    lock.withLock { waiting.append(value) }
  }

  func deliver() {
    if MainQueue.isCurrent {
      MainActor.assumeIsolated { deliverWaiting() }
    } else {
      Task { @MainActor in deliverWaiting() }
    }
  }

  @MainActor
  private func deliverWaiting() {
    // A callback may dispatch and reenter this method; new values wait until the callback returns.
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    while !cancellation.isCancelled, let value = lock.withLock({ waiting.popFirst() }) {
      callback(value)
    }
  }
}

/// Identifies the queue of the main actor, which on Linux is not bound to the main thread.
private enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
