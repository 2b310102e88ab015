/// The stores that take actions of one type, in the order of the dispatcher's stores.
final class Route: Sendable {
  // Apart from the rest because most actions are taken by one store, and reading a constant property
  // costs no reference count, while reading an element of an array does.
  private let first: Taker
  private let others: [Taker]

  /// - Parameters:
  ///   - first: The first store.
  ///   - others: The others, in order.
  init(_ first: Taker, _ others: [Taker]) {
    self.first = first
    self.others = others
  }

  /// Lets every store take the action, in order; a store that was read has taken it already.
  func run(_ reference: ActionReference, _ engine: Engine) throws(Rejection) {
    engine.turn.value.takingSlot = first.slot
    try first.take(reference, engine)
    for taker in others {
      engine.turn.value.takingSlot = taker.slot
      if !engine.turn.value.hasTakenEarly(taker.slot) { try taker.take(reference, engine) }
    }
  }

  /// Lets one store take the action now, because another store reads it; returns why that failed.
  func rejection(of reference: ActionReference, onlyIn slot: Int, _ engine: Engine) -> Rejection? {
    do {
      try taker(of: slot)?.take(reference, engine)
      return nil
    } catch {
      return error
    }
  }

  /// Whether the store takes actions of this type at all.
  func includes(_ slot: Int) -> Bool {
    taker(of: slot) != nil
  }

  private func taker(of slot: Int) -> Taker? {
    first.slot == slot ? first : others.first { $0.slot == slot }
  }
}
