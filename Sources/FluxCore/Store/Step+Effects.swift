extension Step {
  /// Runs an async operation after the step commits, and dispatches its result.
  ///
  /// The operation runs outside the queue. It uses the services that it captures, never the state. A
  /// cancelled operation dispatches nothing. Effects run only if the dispatcher is live.
  ///
  /// - Parameters:
  ///   - name: The name by which the store can cancel the effect; private to the store.
  ///   - policy: The rule if an effect of this name is already running.
  ///   - then: Makes the action for a result; nil for none.
  ///   - catch: Makes the action for an error; nil for none.
  ///   - retry: The attempts if the operation fails; one by default.
  ///   - file: The calling file, which a log can name.
  ///   - line: The calling line.
  ///   - operation: The operation.
  public mutating func effect<Value: Sendable, A: Action>(
    _ name: EffectName, _ policy: EffectPolicy = .replacing,
    then: @escaping @Sendable (Value) -> A?, catch: @escaping @Sendable (any Error) -> A?,
    retry: Retry = .none, file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Value
  ) {
    effect(name, policy, file: file, line: line) { send in
      let action: A?
      do {
        action = then(try await send.retry(retry, operation))
      } catch {
        action = Task.isCancelled ? nil : `catch`(error)
      }
      if let action { send(action) }
    }
  }

  /// Runs an async operation that cannot fail after the step commits, and dispatches its result.
  public mutating func effect<Value: Sendable, A: Action>(
    _ name: EffectName, _ policy: EffectPolicy = .replacing,
    then: @escaping @Sendable (Value) -> A?,
    file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async -> Value
  ) {
    effect(name, policy, file: file, line: line) { send in
      if let action = then(await operation()) { send(action) }
    }
  }

  /// Runs an async operation after the step commits, and dispatches its outcome: a result or an error.
  ///
  /// Actions are `Codable` and errors need not be, so the action gets a value made from the outcome:
  /// ```swift
  /// enum Loaded: StateValue {
  ///   case books(Int)
  ///   case failure(String)
  ///
  ///   init(_ outcome: Result<Int, any Error>) {
  ///     switch outcome {
  ///     case .success(let count): self = .books(count)
  ///     case .failure(let error): self = .failure("\(error)")
  ///     }
  ///   }
  /// }
  /// ```
  /// The reducer starts the effect:
  /// ```swift
  /// step.effect("load", ending: { LibraryAction.loaded(Loaded($0)) }) { [service] in
  ///   try await service.load()
  /// }
  /// ```
  public mutating func effect<Value: Sendable, A: Action>(
    _ name: EffectName, _ policy: EffectPolicy = .replacing,
    ending: @escaping @Sendable (Result<Value, any Error>) -> A?,
    retry: Retry = .none, file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Value
  ) {
    effect(
      name, policy, then: { ending(.success($0)) }, catch: { ending(.failure($0)) }, retry: retry,
      file: file, line: line, operation)
  }

  /// Runs an async operation after the step commits; it dispatches any number of actions through its argument.
  public mutating func effect(
    _ name: EffectName, _ policy: EffectPolicy = .replacing,
    file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable (Send) async -> Void
  ) {
    engine.turn.value.effectCommands.append(
      .start(
        EffectRequest(
          key: EffectKey(slot: slot, name: name.rawValue), policy: policy, file: file, line: line,
          operation: operation)))
  }

  /// Cancels the effects of a name after the step commits, including those that wait, except uncancellable ones.
  ///
  /// - Parameter name: The name of the effects; effects of other stores keep running.
  public mutating func cancel(_ name: EffectName) {
    engine.turn.value.effectCommands.append(.cancel(EffectKey(slot: slot, name: name.rawValue)))
  }
}
