// The observations that all public ways of observing use: a callback for the steps of some stores, a selected value,
// and a selected value for an object of the main actor.

extension Engine {
  /// The committed state of a store, for any thread.
  @usableFromInline
  func snapshot(at index: Int) -> StateSnapshot {
    lock.withLock { published.value.snapshots[index] }
  }

  /// All committed states, for any thread.
  var publishedModel: Model {
    lock.withLock { published.value }
  }

  @usableFromInline
  func register(
    _ observer: Observer, at slot: Int, _ cancellation: Cancellation
  ) -> Receipt {
    let registration = Registration()
    lock.withLock { observers.value.add(observer, registration, at: SlotSet(slot)) }
    return receipt(registration, cancellation)
  }

  /// Adds an observer of a selected value, and returns the value; the observer misses no change after it.
  ///
  /// The observer is listed at the only store that its selector reads, or at those that it reads now. If steps of other
  /// threads change one of these in the meantime, the selector runs again, and the last time in a turn, where none can.
  @usableFromInline
  func register<Value>(
    _ observer: Observer, _ registration: Registration, at slot: Int?,
    _ cancellation: Cancellation, _ select: (borrowing ModelReader) -> Value
  ) -> (receipt: Receipt, value: Value) {
    var attempts = 8
    while true {
      var value: Value?
      if attempts > 0 {
        value = tryToRegister(observer, registration, at: slot, select)
      } else {
        withTurn { value = tryToRegister(observer, registration, at: slot, select) }
      }
      if let value { return (receipt(registration, cancellation), value) }
      attempts -= 1
    }
  }

  /// Adds an observer of a selected value; returns nil if a step has changed the value's stores in the meantime.
  private func tryToRegister<Value>(
    _ observer: Observer, _ registration: Registration, at slot: Int?,
    _ select: (borrowing ModelReader) -> Value
  ) -> Value? {
    let model = publishedModel
    let (value, reads) = ModelReader.read(model, select)
    let slots = slot.map { SlotSet($0) } ?? reads
    return lock.withLock { () -> Value? in
      let isOutrun = slots.members.contains {
        published.value.snapshots[$0] !== model.snapshots[$0]
      }
      if isOutrun { return nil }
      registration.lastReads.value = slots
      observers.value.add(observer, registration, at: slots)
      return value
    }
  }

  private func receipt(_ registration: Registration, _ cancellation: Cancellation) -> Receipt {
    Receipt { [self] in
      cancellation.cancel()
      // Released without the lock, because its captures may have deinitializers that dispatch.
      let removed = lock.withLock { observers.value.remove(registration) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Moves an observer of the model whose selector has read other stores than before.
  func move(_ registration: Registration, to slots: SlotSet) {
    let moved = lock.withLock { observers.value.move(registration, to: slots) }
    withExtendedLifetime(moved) {}
  }

  /// Calls back with each new value of a selector; with `initial`, also with the current one before it returns.
  ///
  /// The selector reads only the store at `slot`; nil to run it again if a store changes that its last run has read.
  /// `registered` gets the receipt before the first call, because the callback may observe again.
  @inlinable
  @discardableResult
  func observe<Value: Equatable & Sendable>(
    at slot: Int?, _ select: @escaping @Sendable (borrowing ModelReader) -> Value, initial: Bool,
    cancellation: Cancellation = Cancellation(), _ callback: @escaping @Sendable (Value) -> Void,
    registered: (Receipt) -> Void = { _ in }
  ) -> Receipt {
    let mailbox = Mailbox(cancellation, callback)
    let registration = Registration()
    let observer = Observer(cancellation, following: slot == nil ? registration : nil) { event in
      mailbox.deliverIfNew(select(event.reader(registration)))
    }
    let (receipt, first) = register(observer, registration, at: slot, cancellation, select)
    registered(receipt)
    mailbox.open(with: first, isWanted: initial)
    return receipt
  }

  /// Calls an object of the main actor with each new value of a selector, and with those of presented models.
  ///
  /// The object is held weakly, and an earlier observation of the same subject ends. `slot` is as above.
  @MainActor
  func observe<Owner: AnyObject & Sendable, Value: Equatable & Sendable>(
    for owner: Owner, _ subject: OwnedObservation.Subject, at slot: Int?,
    _ select: @escaping @Sendable (borrowing ModelReader) -> Value, initial: Bool,
    _ callback: @escaping @MainActor (Owner, Value) -> Void
  ) {
    let key = OwnedObservation(owner: ObjectIdentifier(owner), subject: subject)
    let cancellation = Cancellation()
    owned.end(key)
    let view = PresentedView(
      MainActorDelivery<Value>(cancellation) { [weak owner] value in
        if let owner { callback(owner, value) }
      })
    // A released owner selects nothing, and its observation ends.
    let select: @Sendable (borrowing ModelReader) -> Value? = { [weak owner] model in
      owner == nil ? nil : select(model)
    }
    observe(at: slot, select, initial: initial, cancellation: cancellation) { [owned] value in
      guard let value else { return owned.end(key, if: cancellation) }
      view.update(value)
    } registered: { receipt in
      // With a first call, that call tells the newest value.
      let newest = initial ? nil : ModelReader.read(publishedModel, select).value
      let number = presentation.add(view, initial: initial, newest: newest) {
        ModelReader.read($0, select).value
      }
      owned.begin(
        key, cancellation,
        Receipt { [presentation] in
          receipt.cancel()
          presentation.remove(number)
        })
    }
  }
}
