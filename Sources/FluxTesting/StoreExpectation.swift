public import FluxCore
public import Testing

/// Expects exactly these steps, changes, follow-ups and effects of a store's dispatcher; see
/// ``expect(_:except:timeout:sourceLocation:_:)-(Dispatcher,_,_,_,_)``.
///
/// ```swift
/// await expect(todos) {
///   $0.send(.add(title: "milk")) { $0.append("milk") }
///   await $0.receive(.saved)
/// }
/// ```
/// The closures change the state of this store. All other states must stay as they are.
///
/// - Parameters:
///   - store: The store.
///   - names: The effects that may still run at the end, such as one that reads a socket.
///   - timeout: The time to wait for an effect's action before it is an issue.
///   - sourceLocation: The location of the issues about the end.
///   - body: Sends and receives actions.
/// - Throws: The error of `body`.
nonisolated(nonsending) public func expect<S: Store>(
  _ store: StoreHandle<S>, except names: Set<String> = [], timeout: Duration = .seconds(10),
  sourceLocation: Testing.SourceLocation = #_sourceLocation,
  _ body: nonisolated(nonsending) (StoreExpectation<S>) async throws -> Void
) async rethrows {
  let expectation = Expectation(store.dispatcher, except: names, timeout: timeout)
  defer { expectation.uninstall() }
  try await body(StoreExpectation(dispatcher: expectation, id: store.id))
  await expectation.finish(sourceLocation)
}

/// The expected steps of a dispatcher, for a test of one store.
public struct StoreExpectation<S: Store> {
  /// The expectation of the whole dispatcher, for actions and states of other stores.
  public let dispatcher: Expectation
  let id: StoreID

  /// Dispatches one of the store's own actions, and expects what its step changes; see
  /// ``Expectation/send(_:to:effects:rejection:sourceLocation:_:)``.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - effects: The effects that the step asks for; nil to accept any, if their actions are received.
  ///   - rejection: The message of the rejection; nil if the step commits.
  ///   - sourceLocation: The location of the issues.
  ///   - change: Changes the store's state as the step does; nil if it does not change.
  public func send(
    _ action: S.OwnAction, effects: [String]? = nil, rejection: String? = nil,
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ change: ((inout S.State) throws -> Void)? = nil
  ) {
    dispatcher.send(
      action, to: id, effects: effects, rejection: rejection, sourceLocation: sourceLocation
    ) { [id] in try change?(&$0[S.self, id]) }
  }

  /// Waits for the next step, and expects its action and what it changes; see ``Expectation``.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - effects: The effects that the step asks for; nil to accept any, if their actions are received.
  ///   - rejection: The message of the rejection; nil if the step commits.
  ///   - sourceLocation: The location of the issues.
  ///   - change: Changes the store's state as the step does; nil if it does not change.
  nonisolated(nonsending) public func receive(
    _ action: S.OwnAction, effects: [String]? = nil, rejection: String? = nil,
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ change: ((inout S.State) throws -> Void)? = nil
  ) async {
    await dispatcher.receive(
      action, effects: effects, rejection: rejection, sourceLocation: sourceLocation
    ) { [id] in try change?(&$0[S.self, id]) }
  }

  /// Waits for the next step, and expects the case of its action, whatever its values are.
  ///
  /// The values go to `change`: `await $0.receive(Search.Action.found) { $0 = .results($1) }`.
  ///
  /// - Parameters:
  ///   - makeAction: The case, for example `Search.Action.found`.
  ///   - effects: The effects that the step asks for; nil to accept any, if their actions are received.
  ///   - rejection: The message of the rejection; nil if the step commits.
  ///   - sourceLocation: The location of the issues.
  ///   - change: Changes the store's state as the step does; nil if it does not change.
  nonisolated(nonsending) public func receive<each Value>(
    _ makeAction: (repeat each Value) -> S.OwnAction, effects: [String]? = nil,
    rejection: String? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ change: ((inout S.State, repeat each Value) throws -> Void)? = nil
  ) async {
    await dispatcher.receive(
      makeAction, effects: effects, rejection: rejection, sourceLocation: sourceLocation
    ) { [id] (model: inout ExpectedModel, values: repeat each Value) in
      try change?(&model[S.self, id], repeat each values)
    }
  }

  /// Advances the dispatcher's test clock; see ``Expectation/advance(by:sourceLocation:)``.
  ///
  /// - Parameters:
  ///   - duration: The duration; nil to advance until no effect sleeps.
  ///   - sourceLocation: The location of the issue.
  nonisolated(nonsending) public func advance(
    by duration: Duration?, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async {
    await dispatcher.advance(by: duration, sourceLocation: sourceLocation)
  }
}
