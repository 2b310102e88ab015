/// The stores that take actions of one type, in the order of the dispatcher's stores.
final class Route: Sendable {
  private let takers: [Taker]

  /// - Parameter takers: In the order of the stores; those of one store stand together.
  init(_ takers: [Taker]) {
    self.takers = takers
  }

  /// Lets every store take the action, in order; a store that was read has taken it already.
  func run(_ reference: ActionReference, _ engine: Engine) throws(Rejection) {
    var index = 0
    while index < takers.count {
      index = try settle(from: index, reference, engine)
    }
  }

  /// Lets one store take the action now, because another store reads it.
  func run(_ reference: ActionReference, onlyIn slot: Int, _ engine: Engine) throws(Rejection) {
    guard let index = takers.firstIndex(where: { $0.slot == slot }) else { return }
    _ = try settle(from: index, reference, engine)
  }

  /// Whether the store takes actions of this type at all.
  func includes(_ slot: Int) -> Bool {
    takers.contains { $0.slot == slot }
  }

  /// Runs the takers of one store, which stand together, and returns where the next store's begin.
  @inline(__always)
  private func settle(
    from start: Int, _ reference: ActionReference, _ engine: Engine
  ) throws(Rejection) -> Int {
    let slot = takers[start].slot
    let transaction = engine.turn.value.transaction
    let isSettled = engine.turn.value.progress[slot].settledIn == transaction
    engine.turn.value.progress[slot].runningIn = transaction
    var index = start
    repeat {
      if !isSettled, !takers[index].isReducer || engine.isAddressed(slot) {
        try takers[index].body(reference, slot, engine)
      }
      index += 1
    } while index < takers.count && takers[index].slot == slot
    engine.turn.value.progress[slot].settledIn = transaction
    return index
  }
}
