/// The handlers of one action type, in the order of the dispatcher's stores; a store's reducer precedes its reactions.
final class Route: Sendable {
  // Separate from the others because most actions have one handler. Reading a constant property needs no
  // reference counting; reading an array element does.
  private let first: Handler
  private let others: [Handler]

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

  /// Runs an action through the handlers of one store, because another store reads it.
  func run(_ reference: ActionReference, onlyIn slot: Int, _ engine: Engine) throws(Rejection) {
    if first.slot == slot { try first.run(reference, engine) }
    for handler in others where handler.slot == slot { try handler.run(reference, engine) }
  }

  func includes(_ slot: Int) -> Bool {
    first.slot == slot || others.contains { $0.slot == slot }
  }
}

/// Finds the route of an action type.
@safe
struct RouteTable: @unchecked Sendable {
  // Sendable: the table and its routes are constant.

  private let routes: [Route]
  // Not reference-counted: the table keeps its routes alive, and counting costs a sixth of a step that changes
  // nothing.
  private let table: TypeMap<Unmanaged<Route>>

  init(_ routes: [ObjectIdentifier: Route]) {
    unsafe table = TypeMap(routes.mapValues { unsafe .passUnretained($0) })
    self.routes = Array(routes.values)
  }

  /// Calls `body` with the route of a type; returns `false` if there is none.
  @inline(__always)
  func withRoute(
    of type: ObjectIdentifier, _ body: (Route) throws(Rejection) -> Void
  ) throws(Rejection) -> Bool {
    guard let route = unsafe table.value(of: type) else { return false }
    // The engine keeps the table alive during the call, and the table keeps the route alive. A typed error does not
    // pass through the call.
    let rejection = unsafe route._withUnsafeGuaranteedRef { route -> Rejection? in
      do throws(Rejection) {
        try body(route)
        return nil
      } catch {
        return error
      }
    }
    if let rejection { throw rejection }
    return true
  }
}
