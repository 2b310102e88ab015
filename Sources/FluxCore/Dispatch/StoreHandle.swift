/// One store of a dispatcher: its state, its actions, and its changes.
///
/// A handle is a small value. Pass it to a view or a service that should not get the whole dispatcher.
/// ```swift
/// let todos = dispatcher.store(TodoStore.self)
/// todos.dispatch(.add(title: "milk"))
/// print(todos.items.count)
/// let receipt = todos.observe(\.items.count) { count in print("\(count) items") }
/// ```
@dynamicMemberLookup
public struct StoreHandle<S: Store>: Sendable {
  /// The dispatcher of the store.
  public let dispatcher: Dispatcher
  @usableFromInline let index: Int

  /// The identifier of the store.
  public var id: StoreID { dispatcher.engine.layout.ids[index] }

  /// The state as of the last committed step; reading it never waits for a running step.
  @inlinable public var state: S.State {
    dispatcher.engine.snapshot(at: index).state(as: S.State.self)
  }

  /// A part of the state.
  @inlinable
  public subscript<Value>(dynamicMember keyPath: KeyPath<S.State, Value>) -> Value {
    state[keyPath: keyPath]
  }

  // MARK: Dispatching

  /// Dispatches one of the store's own actions to this store and to all reactions, as
  /// ``Dispatcher/dispatch(_:to:file:line:)`` does.
  @inlinable
  @discardableResult
  public func dispatch(
    _ action: S.OwnAction, file: StaticString = #fileID, line: UInt = #line
  ) -> Outcome {
    let engine = dispatcher.engine
    return ActionReference.withReference(to: action) {
      engine.dispatch($0, to: id, at: index, file, line)
    }
  }

  /// Queues one of the store's own actions and returns at once, as ``Dispatcher/enqueue(_:to:file:line:then:)`` does.
  public func enqueue(
    _ action: S.OwnAction, file: StaticString = #fileID, line: UInt = #line,
    then: (@Sendable (Outcome) -> Void)? = nil
  ) {
    dispatcher.enqueue(action, to: id, file: file, line: line, then: then)
  }

  /// Dispatches one of the store's own actions and waits for its follow-ups and effects, as
  /// ``Dispatcher/run(_:to:file:line:)`` does.
  @discardableResult
  public func run(
    _ action: S.OwnAction, file: StaticString = #fileID, line: UInt = #line
  ) async -> Outcome {
    await dispatcher.run(action, to: id, file: file, line: line)
  }

  // MARK: Observing

  /// Calls back after every step that changes the store.
  ///
  /// The callback runs in the turn of the step, on the dispatching thread. Actions that it dispatches are
  /// queued. Observers run in the order of registration.
  ///
  /// - Parameter callback: Gets the old and the new state, the step and its action.
  /// - Returns: The receipt; releasing it ends the observation.
  @inlinable
  public func onChange(_ callback: @escaping @Sendable (Change<S.State>) -> Void) -> Receipt {
    let cancellation = Cancellation()
    let observer = Observer(cancellation) { event in
      callback(
        Change(
          old: event.old.state(as: S.State.self), new: event.new.state(as: S.State.self),
          step: event.step, action: event.action))
    }
    return dispatcher.engine.register(observer, at: index, cancellation)
  }

  /// Calls back with a selected value whenever that value changes.
  ///
  /// If other threads change the value during the first call, the new values arrive after it, on the
  /// observing thread and outside any turn. For later calls, see ``onChange(_:)``.
  ///
  /// - Parameters:
  ///   - initial: `true` to call back with the current value before this method returns.
  ///   - select: Selects the value, for example `\.items.count`.
  ///   - callback: Gets the value.
  /// - Returns: The receipt; releasing it ends the observation.
  @inlinable
  public func observe<Value: Equatable & Sendable>(
    initial: Bool = true, _ select: @escaping @Sendable (S.State) -> Value,
    _ callback: @escaping @Sendable (Value) -> Void
  ) -> Receipt {
    dispatcher.engine.observe(at: index, reading(select), initial: initial, callback)
  }

  /// The selector as one of the model.
  @inlinable
  func reading<Value>(
    _ select: @escaping @Sendable (S.State) -> Value
  ) -> @Sendable (borrowing ModelReader) -> Value {
    { [index] model in
      unsafe select(
        model.snapshot(at: index)._withUnsafeGuaranteedRef { $0.state(as: S.State.self) })
    }
  }

  /// Calls a view or another object of the main actor with a selected value whenever that value changes.
  ///
  /// The object is held weakly. It has at most one observation per store: a later one replaces an earlier
  /// one. Every value arrives on the main actor, in order; if the step ran there, at once. While the
  /// dispatcher presents an old model, the values are that model's.
  ///
  /// - Parameters:
  ///   - owner: The object; the observation ends when it is released.
  ///   - initial: `true` to call back with the current value before this method returns.
  ///   - select: Selects the value, for example `\.items.count`.
  ///   - callback: Gets the object and the value.
  @MainActor
  public func observe<Owner: AnyObject & Sendable, Value: Equatable & Sendable>(
    for owner: Owner, initial: Bool = true, _ select: @escaping @Sendable (S.State) -> Value,
    _ callback: @escaping @MainActor (Owner, Value) -> Void
  ) {
    dispatcher.engine.observe(
      for: owner, .store(index), at: index, reading(select), initial: initial, callback)
  }
}

// MARK: Queries

extension StoreHandle where S: QueryStore {
  /// Opens a query; cancelling or releasing the receipt closes it.
  ///
  /// If the store rejects the query, middleware sees the rejection, the query is not open, and the receipt
  /// closes nothing.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - file: The calling file, which a log can name.
  ///   - line: The calling line.
  /// - Returns: The receipt.
  public func query(
    _ query: S.Query, file: StaticString = #fileID, line: UInt = #line
  ) -> Receipt {
    let (id, engine) = (id, dispatcher.engine)
    let live = engine.liveQueries
    let slot = engine.layout.requireIndex(of: OpenQueries<S>.self, OpenQueries<S>.id(for: id))
    let number = live.add((slot, query))
    let opening = dispatcher.dispatch(
      QueryAction<S>.opened(query, number: number), to: id, file: file, line: line)
    if opening.result == .rejected {
      live.remove(number)
      return Receipt(onCancel: {})
    }
    let closed = QueryAction<S>.closed(number: number)
    let call = Call(file: file, line: line, target: id)
    return Receipt {
      live.remove(number)
      _ = ActionReference.withReference(to: closed) { engine.dispatch($0, call) }
    } onRelease: {
      live.remove(number)
      engine.enqueue(closed, call, then: nil)
    }
  }

  /// The open queries in the order of their opening.
  public var activeQueries: [S.Query] {
    dispatcher[OpenQueries<S>.self, OpenQueries<S>.id(for: id)].map(\.query)
  }
}
