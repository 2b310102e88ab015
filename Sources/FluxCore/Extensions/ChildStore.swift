extension Reaction {
  /// Creates a reaction in which a child store handles its own actions on a part of this state.
  ///
  /// The part changes in the same step as the whole.
  /// ```swift
  /// var reactions: [Reaction<State>] { [.child(\.label, LabelStore())] }
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the part in this state.
  ///   - child: The child store; its identifier, initial state and reactions are not used.
  /// - Returns: A reaction for ``Store/reactions``.
  public static func child<Child: Store>(
    _ keyPath: any WritableKeyPath<State, Child.State> & Sendable, _ child: Child
  ) -> Self {
    let scope = RequestScope<State, Child.State>(
      path: [AnyHashable(keyPath)], canVanish: false, part: { $0[keyPath: keyPath] },
      embed: { _ in nil })
    return .on(Child.OwnAction.self) { state, action, step in
      let requests = step.requestCounts
      do {
        try child.reduce(&state[keyPath: keyPath], action, &step)
      } catch let rejection as Rejection {
        throw rejection.completed(with: action, in: state[keyPath: keyPath])
      }
      step.scopeRequests(since: requests, scope)
    }
  }
}

extension StoreHandle {
  /// Returns a handle to a part of the state, which can be read and observed like a store.
  public func child<Part: Equatable & Sendable>(
    _ keyPath: any KeyPath<S.State, Part> & Sendable
  ) -> ChildHandle<S, Part> {
    ChildHandle(parent: self) { $0[keyPath: keyPath] }
  }

  /// Returns a handle to an element of a list; it stays valid when the element moves.
  /// ```swift
  /// let row = list.child(\.rows, id: 7)
  /// ```
  ///
  /// The state of the handle is nil while there is no such element.
  public func child<Element: Identifiable & Equatable & Sendable>(
    _ keyPath: any KeyPath<S.State, Keyed<Element>> & Sendable, id: Element.ID
  ) -> ChildHandle<S, Element?> where Element.ID: Sendable {
    ChildHandle(parent: self) { $0[keyPath: keyPath][id: id] }
  }
}

/// A handle to a part of a store's state.
@dynamicMemberLookup
public struct ChildHandle<S: Store, Part: Equatable & Sendable>: Sendable {
  /// The store.
  public let parent: StoreHandle<S>
  fileprivate let part: @Sendable (S.State) -> Part

  /// The part as of the last committed step.
  public var state: Part { part(parent.state) }

  /// A value in the part.
  public subscript<Value>(dynamicMember inner: KeyPath<Part, Value>) -> Value {
    state[keyPath: inner]
  }

  /// Returns a handle to a part of this part.
  public func child<Inner: Equatable & Sendable>(
    _ inner: any KeyPath<Part, Inner> & Sendable
  ) -> ChildHandle<S, Inner> {
    ChildHandle<S, Inner>(parent: parent) { [part] in part($0)[keyPath: inner] }
  }

  /// Returns a handle to an element of a list in this part.
  ///
  /// Its state is nil while there is no such element.
  public func child<Element: Identifiable & Equatable & Sendable>(
    _ inner: any KeyPath<Part, Keyed<Element>> & Sendable, id: Element.ID
  ) -> ChildHandle<S, Element?> where Element.ID: Sendable {
    ChildHandle<S, Element?>(parent: parent) { [part] in part($0)[keyPath: inner][id: id] }
  }

  /// Calls back with a selected value whenever that value changes.
  ///
  /// The parameters are those of ``StoreHandle/observe(initial:_:_:)``.
  public func observe<Value: Equatable & Sendable>(
    initial: Bool = true, _ select: @escaping @Sendable (Part) -> Value,
    _ callback: @escaping @Sendable (Value) -> Void
  ) -> Receipt {
    parent.observe(initial: initial, { [part] in select(part($0)) }, callback)
  }
}

extension ChildHandle {
  /// A value in an element of a list; nil while there is no such element.
  public subscript<Element, Value>(dynamicMember inner: KeyPath<Element, Value>) -> Value?
  where Part == Element? {
    state?[keyPath: inner]
  }

  /// Returns a handle to an element of a list in an element.
  ///
  /// Its state is nil while one of the two elements is missing.
  public func child<Outer, Element: Identifiable & Equatable & Sendable>(
    _ inner: any KeyPath<Outer, Keyed<Element>> & Sendable, id: Element.ID
  ) -> ChildHandle<S, Element?> where Part == Outer?, Element.ID: Sendable {
    ChildHandle<S, Element?>(parent: parent) { [part] in part($0)?[keyPath: inner][id: id] }
  }
}
