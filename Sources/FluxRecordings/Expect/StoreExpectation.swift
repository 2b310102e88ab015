public import FluxCore

/// The expected steps of a dispatcher, for a test of one store.
public struct StoreExpectation<S: Store> {
  /// The expectation of the whole dispatcher, for actions and states of other stores.
  public let dispatcher: DispatcherExpectation
  let id: StoreID

  package init(_ dispatcher: DispatcherExpectation, of store: StoreHandle<S>) {
    (self.dispatcher, id) = (dispatcher, store.id)
  }

  /// Dispatches one of the store's own actions, and expects what its step changes.
  ///
  /// `change` gets the store's state. The other parameters are those of
  /// ``DispatcherExpectation/send(_:to:effects:rejection:file:line:_:)``.
  public func send(
    _ action: S.OwnAction, effects: [EffectName]? = nil, rejection: String? = nil,
    file: StaticString = #filePath, line: UInt = #line,
    _ change: ((inout S.State) throws -> Void)? = nil
  ) {
    dispatcher.send(
      action, to: id, effects: effects, rejection: rejection, file: file, line: line,
      changeOfModel(change))
  }

  /// Waits for the next step, and expects its action and what it changes.
  ///
  /// `change` gets the store's state. The other parameters are those of
  /// ``DispatcherExpectation/send(_:to:effects:rejection:file:line:_:)``.
  nonisolated(nonsending) public func receive(
    _ action: S.OwnAction, effects: [EffectName]? = nil, rejection: String? = nil,
    file: StaticString = #filePath, line: UInt = #line,
    _ change: ((inout S.State) throws -> Void)? = nil
  ) async {
    await dispatcher.receive(
      action, effects: effects, rejection: rejection, file: file, line: line, changeOfModel(change))
  }

  /// Returns the change of the model that changes the store's state.
  func changeOfModel<each Value>(
    _ change: ((inout S.State, repeat each Value) throws -> Void)?
  ) -> (inout ExpectedModel, repeat each Value) throws -> Void {
    { [id] (model: inout ExpectedModel, values: repeat each Value) in
      try change?(&model[S.self, id], repeat each values)
    }
  }

  /// Advances the dispatcher's test clock; see ``DispatcherExpectation/advance(by:file:line:)``.
  nonisolated(nonsending) public func advance(
    by duration: Duration?, file: StaticString = #filePath, line: UInt = #line
  ) async {
    await dispatcher.advance(by: duration, file: file, line: line)
  }
}
