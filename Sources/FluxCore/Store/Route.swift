/// The handlers of one action type, in the order of the dispatcher's stores.
final class Route: Sendable {
  // Separate from the others because most actions have one handler. Reading a constant property needs no
  // reference counting; reading an array element does.
  private let first: Handler
  private let others: [Handler]

  /// - Parameters:
  ///   - first: The first handler.
  ///   - others: The other handlers, in order.
  init(_ first: Handler, _ others: [Handler]) {
    self.first = first
    self.others = others
  }

  /// Runs an action through every handler, in order; skips stores that have handled it early.
  func run(_ reference: ActionReference, _ engine: Engine) throws(Rejection) {
    engine.turn.value.handlingSlot = first.slot
    try first.run(reference, engine)
    for handler in others {
      engine.turn.value.handlingSlot = handler.slot
      if !engine.turn.value.hasHandledEarly(handler.slot) { try handler.run(reference, engine) }
    }
  }

  /// Runs an action through one store, because another store reads it; returns the rejection, if any.
  func rejection(of reference: ActionReference, onlyIn slot: Int, _ engine: Engine) -> Rejection? {
    do {
      try handler(of: slot)?.run(reference, engine)
      return nil
    } catch {
      return error
    }
  }

  /// `true` if the store handles actions of this type.
  func includes(_ slot: Int) -> Bool {
    handler(of: slot) != nil
  }

  private func handler(of slot: Int) -> Handler? {
    first.slot == slot ? first : others.first { $0.slot == slot }
  }
}

/// Finds the route of an action type.
@safe
struct RouteTable: @unchecked Sendable {
  // Sendable: the table and its routes are constant.

  private let routes: [Route]
  // Not reference-counted: the table keeps its routes alive, and counting costs a sixth of a step that changes
  // nothing.
  private let table: TypeTable<Unmanaged<Route>>

  init(_ routes: [ObjectIdentifier: Route]) {
    unsafe table = TypeTable(routes.mapValues { unsafe .passUnretained($0) })
    self.routes = Array(routes.values)
  }

  /// Calls `body` with the route of a type; returns nil if there is none.
  @inline(__always)
  func withRoute<Result>(of type: ObjectIdentifier, _ body: (Route) -> Result) -> Result? {
    // The engine keeps the table alive during the call, and the table keeps the route alive.
    unsafe table.value(of: type)?._withUnsafeGuaranteedRef { body($0) }
  }
}
