extension Step {
  /// Starts an operation after this step has committed, and dispatches what comes of it.
  ///
  /// The operation runs outside the queue; it gets at the world through what it captures, never through
  /// the state. An operation that is cancelled dispatches nothing. In replay it does not run.
  ///
  /// - Parameters:
  ///   - name: The name under which the store can cancel it; private to the store.
  ///   - policy: What happens where an effect of the name is under way already.
  ///   - then: The action for a result; nil for none.
  ///   - catch: The action for an error; nil for none.
  ///   - file: Where the call stands; filled in by the compiler.
  ///   - line: Where the call stands; filled in by the compiler.
  ///   - operation: What to do.
  public mutating func effect<Value: Sendable, A: Action>(
    _ name: String, _ policy: EffectPolicy = .replacing,
    then: @escaping @Sendable (Value) -> A?, catch: @escaping @Sendable (any Error) -> A?,
    file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Value
  ) {
    effect(name, policy, file: file, line: line) { send in
      let action: A?
      do {
        action = then(try await operation())
      } catch {
        action = Task.isCancelled ? nil : `catch`(error)
      }
      if let action { send(action) }
    }
  }

  /// Starts an operation that cannot fail after this step has committed, and dispatches what comes of it.
  ///
  /// - Parameters:
  ///   - name: The name under which the store can cancel it; private to the store.
  ///   - policy: What happens where an effect of the name is under way already.
  ///   - then: The action for a result; nil for none.
  ///   - file: Where the call stands; filled in by the compiler.
  ///   - line: Where the call stands; filled in by the compiler.
  ///   - operation: What to do.
  public mutating func effect<Value: Sendable, A: Action>(
    _ name: String, _ policy: EffectPolicy = .replacing,
    then: @escaping @Sendable (Value) -> A?,
    file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async -> Value
  ) {
    effect(name, policy, file: file, line: line) { send in
      if let action = then(await operation()) { send(action) }
    }
  }

  /// Starts an operation after this step has committed, which may dispatch any number of actions.
  ///
  /// - Parameters:
  ///   - name: The name under which the store can cancel it; private to the store.
  ///   - policy: What happens where an effect of the name is under way already.
  ///   - file: Where the call stands; filled in by the compiler.
  ///   - line: Where the call stands; filled in by the compiler.
  ///   - operation: What to do; it is given the way to dispatch.
  public mutating func effect(
    _ name: String, _ policy: EffectPolicy = .replacing,
    file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable (Send) async -> Void
  ) {
    engine.turn.value.effectCommands.append(
      .start(
        EffectRequest(
          key: EffectKey(slot: slot, name: name), policy: policy, file: file, line: line,
          operation: operation)))
  }

  /// Cancels the effects of a name after this step has committed, those that wait included.
  ///
  /// - Parameter name: The name; effects of other stores are untouched.
  public mutating func cancel(_ name: String) {
    engine.turn.value.effectCommands.append(.cancel(EffectKey(slot: slot, name: name)))
  }
}
