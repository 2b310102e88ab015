// Calls that do not compile, with an error that says what to write instead.

extension Step {
  /// Not available: an operation that can fail needs `catch:`.
  @available(
    *, unavailable,
    message: "this operation can fail: add `catch:`, which makes the action for its error"
  )
  public mutating func effect<Value: Sendable, A: Action>(
    _ name: EffectName, _ policy: EffectPolicy = .replacing,
    then: @escaping @Sendable (Value) -> A?,
    file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Value
  ) {}

  /// Not available: an operation that dispatches actions handles its errors.
  @available(
    *, unavailable,
    message: "this operation can fail: catch its errors in it, and send an action for them"
  )
  public mutating func effect(
    _ name: EffectName, _ policy: EffectPolicy = .replacing,
    file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable (Send) async throws -> Void
  ) {}

  /// Not available: an operation without `then:` is handed a function that dispatches.
  @available(
    *, unavailable,
    message: "this operation returns an action: `then: { $0 }` dispatches it"
  )
  public mutating func effect<A: Action>(
    _ name: EffectName, _ policy: EffectPolicy = .replacing,
    file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> A
  ) {}

  /// Not available: `then:` is a function of the result.
  @available(
    *, unavailable,
    message:
      "`then:` makes an action from the result: `then: { _ in .done }` for an action without one"
  )
  public mutating func effect<Value: Sendable, A: Action>(
    _ name: EffectName, _ policy: EffectPolicy = .replacing, then: A,
    catch: @escaping @Sendable (any Error) -> A? = { _ in nil }, retry: Retry = .none,
    file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Value
  ) {}

  /// Not available: `catch:` is a function of the error.
  @available(
    *, unavailable,
    message:
      "`catch:` makes an action from the error: `catch: { _ in .failed }` for an action without one"
  )
  public mutating func effect<Value: Sendable, A: Action>(
    _ name: EffectName, _ policy: EffectPolicy = .replacing,
    then: @escaping @Sendable (Value) -> A?, catch: A, retry: Retry = .none,
    file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Value
  ) {}

  /// Not available: errors are not `Codable`, so an action cannot hold one.
  @available(
    *, unavailable,
    message:
      "`catch:` makes an action from the error: `catch: { .failed(\"\\($0)\") }` for an action with a text"
  )
  public mutating func effect<Value: Sendable, A: Action>(
    _ name: EffectName, _ policy: EffectPolicy = .replacing,
    then: @escaping @Sendable (Value) -> A?, catch: @escaping @Sendable (String) -> A,
    retry: Retry = .none, file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Value
  ) {}
}

extension Store {
  /// Not available: the reducer of a store has three parameters, and its state is that of the store.
  @available(
    *, unavailable,
    message:
      "declare `func reduce(_ state: inout State, _ action: …, _ step: inout Step) throws` with all three parameters, without async and a result; the state of a feature is `Phase?`, and a store without actions is a Projection"
  )
  public func reduce(_ state: inout State, _ action: Never, _ step: inout Step) {}
}
