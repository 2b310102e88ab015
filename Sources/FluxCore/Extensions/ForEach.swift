extension Step {
  /// Runs the reducer of one element of a list.
  ///
  /// The store's action names the element and wraps the element's own action:
  /// ```swift
  /// func reduce(_ list: inout State, _ action: ListAction, _ step: inout Step) throws {
  ///   switch action {
  ///   case .row(let id, let action):
  ///     try step.forEach(\.rows, of: &list, id, action, as: ListAction.row) { row, action, step in
  ///       switch action {
  ///       case .toggle: row.isDone.toggle()
  ///       }
  ///     }
  ///   }
  /// }
  /// ```
  /// The element's effects and follow-ups are its own. The names of its effects do not collide with those of
  /// other elements. Its own actions come back to it: wherever it dispatches one, `embed` wraps it. When the
  /// element leaves the list, its running effects are cancelled.
  ///
  /// Pass the method of a type to keep the reducer elsewhere: `RowReducer(client: client).reduce`.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the list in the state; `\.self` if the state is the list.
  ///   - state: The state that the reducer of the store got.
  ///   - id: The identifier of the element.
  ///   - action: The action of the element.
  ///   - embed: Makes an action of the store from an identifier and an action of the element; usually a case.
  ///   - reduce: Changes the element; the rules of ``Store/reduce(_:_:_:)`` apply.
  /// - Throws: A ``Rejection`` if there is no such element, and the errors of `reduce`.
  public mutating func forEach<
    State: Sendable, Element: Identifiable & Sendable, ElementAction: Action, Whole: Action
  >(
    _ keyPath: any WritableKeyPath<State, Keyed<Element>> & Sendable, of state: inout State,
    _ id: Element.ID, _ action: ElementAction,
    as embed: @escaping @Sendable (Element.ID, ElementAction) -> Whole,
    _ reduce: (inout Element, ElementAction, inout Step) throws -> Void
  ) throws where Element.ID: Sendable {
    let requests = requestCounts
    let isThere: Void? = try state[keyPath: keyPath].update(id: id) { element in
      try reduce(&element, action, &self)
    }
    guard isThere != nil else { throw Rejection("there is no element \(id)") }
    scopeRequests(
      since: requests,
      RequestScope<State, Element>(
        path: [AnyHashable(keyPath), AnyHashable(id)], canVanish: true,
        part: { $0[keyPath: keyPath][id: id] },
        embed: { Self.embedded($0) { ($0 as? ElementAction).map { embed(id, $0) } } }))
  }

  /// Embeds an action, or each action of a batch; returns nil if there is nothing to embed.
  private static func embedded(
    _ action: any Action, by embed: (any Action) -> (any Action)?
  ) -> (any Action)? {
    guard let batch = action as? Batch else { return embed(action) }
    let actions = batch.actions.map { embedded($0, by: embed) }
    guard actions.contains(where: { $0 != nil }) else { return nil }
    return Batch(batch.label, zip(batch.actions, actions).map { $1 ?? $0 })
  }

  /// The numbers of follow-ups and effects that the step has requested so far.
  var requestCounts: (followUps: Int, effects: Int) {
    (engine.turn.value.followUps.count, engine.turn.value.effectCommands.count)
  }

  /// Makes the requests of a child its own: its effects have separate names and end with it, and its own actions
  /// come back to it.
  mutating func scopeRequests<State, Part>(
    since first: (followUps: Int, effects: Int), _ scope: RequestScope<State, Part>
  ) {
    for index in first.effects..<engine.turn.value.effectCommands.count {
      let command = engine.turn.value.effectCommands[index]
      engine.turn.value.effectCommands[index] = command.scoped(scope)
    }
    for index in first.followUps..<engine.turn.value.followUps.count {
      let (followUp, call) = engine.turn.value.followUps[index]
      guard followUp.target == nil || followUp.target == engine.layout.ids[slot],
        let embedded = scope.embed(followUp.action)
      else { continue }
      var embeddedCall = call
      embeddedCall.target = engine.target(of: type(of: embedded), from: slot)
      engine.turn.value.followUps[index] = (
        Outcome.FollowUp(action: embedded, target: embeddedCall.target), embeddedCall
      )
    }
  }
}

/// A part of a state as the place of effects: a child store, or an element of a list.
struct RequestScope<State, Part>: @unchecked Sendable {
  // Sendable: the key paths and identifiers in `path` are Sendable where the scope is made.

  /// The parts that lead here, from the outermost.
  let path: [AnyHashable]
  /// `true` for an element of a list, `false` for a part that is always there.
  let canVanish: Bool
  /// Returns the part; nil if it is gone.
  let part: @Sendable (State) -> Part?
  /// Returns the action of the whole for an action of the part; nil if the part does not have such actions.
  let embed: @Sendable (any Action) -> (any Action)?
}

extension EffectCommand {
  /// The command of a child, as its parent requests it.
  fileprivate func scoped<State, Part>(_ scope: RequestScope<State, Part>) -> EffectCommand {
    switch self {
    case .cancel(var key):
      key.scope = scope.path + key.scope
      return .cancel(key)
    case .start(var request):
      let (operation, inner) = (request.operation, request.isPresent)
      request.key.scope = scope.path + request.key.scope
      request.operation = { await operation($0.embedding(scope.embed)) }
      if scope.canVanish || inner != nil {
        request.isPresent = { state in
          guard let state = state as? State, let part = scope.part(state) else { return false }
          return inner?(part) ?? true
        }
      }
      return .start(request)
    }
  }
}
