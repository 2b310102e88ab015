extension Reaction {
  /// Lets a store that is written for a part of this state take its own actions there.
  ///
  /// The part changes within the same step as the whole, so everybody sees both or neither.
  /// ```swift
  /// var reactions: [Reaction<State>] { [.child(\.label, LabelStore())] }
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: Where the part is in this state.
  ///   - child: The store; its identifier, initial state and reactions are not used.
  /// - Returns: The reaction, for ``Store/reactions``.
  public static func child<Child: Store>(
    _ keyPath: any WritableKeyPath<State, Child.State> & Sendable, _ child: Child
  ) -> Self {
    let scope = "\(keyPath)"
    return .on(Child.OwnAction.self) { state, action, step in
      let asked = step.engine.turn.value.effectCommands.count
      try child.reduce(&state[keyPath: keyPath], action, &step)
      step.scopeEffects(from: asked, scope)
    }
  }
}

extension Step {
  /// Makes the effects that were asked for since then those of a child store.
  fileprivate func scopeEffects(from first: Int, _ scope: String) {
    for index in first..<engine.turn.value.effectCommands.count {
      engine.turn.value.effectCommands[index] =
        engine.turn.value.effectCommands[index].scoped(scope)
    }
  }
}

extension StoreHandle {
  /// A part of the store's state, to be read and observed like a store.
  ///
  /// - Parameter keyPath: Where the part is in the state.
  /// - Returns: The handle of the part.
  public func child<Part: Equatable & Sendable>(
    _ keyPath: any KeyPath<S.State, Part> & Sendable
  ) -> ChildHandle<S, Part> {
    ChildHandle(parent: self) { $0[keyPath: keyPath] }
  }
}

/// A part of a store's state.
@dynamicMemberLookup
public struct ChildHandle<S: Store, Part: Equatable & Sendable>: Sendable {
  /// The store.
  public let parent: StoreHandle<S>
  private let part: @Sendable (S.State) -> Part

  init(parent: StoreHandle<S>, part: @escaping @Sendable (S.State) -> Part) {
    self.parent = parent
    self.part = part
  }

  /// The part as of the last committed step.
  public var state: Part { part(parent.state) }

  /// A part of the part.
  public subscript<Value>(dynamicMember inner: KeyPath<Part, Value>) -> Value {
    state[keyPath: inner]
  }

  /// A part of the part, to be read and observed like a store.
  ///
  /// - Parameter inner: Where it is in this part.
  /// - Returns: The handle of the inner part.
  public func child<Inner: Equatable & Sendable>(
    _ inner: any KeyPath<Part, Inner> & Sendable
  ) -> ChildHandle<S, Inner> {
    ChildHandle<S, Inner>(parent: parent) { [part] in part($0)[keyPath: inner] }
  }

  /// Calls back with a value made of the part, whenever that value changes.
  ///
  /// - Parameters:
  ///   - initial: Whether to call back at once with the present value, before this returns.
  ///   - select: Makes the value.
  ///   - callback: Gets the value; see ``StoreHandle/onChange(_:)`` for where it runs.
  /// - Returns: The receipt; the observation ends with it.
  public func observe<Value: Equatable & Sendable>(
    initial: Bool = true, _ select: @escaping @Sendable (Part) -> Value,
    _ callback: @escaping @Sendable (Value) -> Void
  ) -> Receipt {
    parent.observe(initial: initial, { [part] in select(part($0)) }, callback)
  }
}
