extension Step {
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
  ///
  /// - Parameters:
  ///   - name: The name by which the store can cancel the effect; private to the store.
  ///   - policy: The rule if an effect of this name is already running.
  ///   - ending: Makes the action for the outcome; nil for none.
  ///   - file: The calling file; the compiler fills it in.
  ///   - line: The calling line; the compiler fills it in.
  ///   - operation: The operation.
  public mutating func effect<Value: Sendable, A: Action>(
    _ name: String, _ policy: EffectPolicy = .replacing,
    ending: @escaping @Sendable (Result<Value, any Error>) -> A?,
    file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Value
  ) {
    effect(
      name, policy, then: { ending(.success($0)) }, catch: { ending(.failure($0)) }, file: file,
      line: line, operation)
  }

  // MARK: Mistakes

  /// Not available: an operation that can fail needs `catch:`.
  @available(
    *, unavailable,
    message: "this operation can fail: add `catch:`, which makes the action for its error"
  )
  public mutating func effect<Value: Sendable, A: Action>(
    _ name: String, _ policy: EffectPolicy = .replacing,
    then: @escaping @Sendable (Value) -> A?,
    file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Value
  ) {
    effect(
      name, policy, then: then, catch: { _ in A?.none }, file: file, line: line, operation)
  }

  /// Not available: an operation that dispatches actions handles its errors.
  @available(
    *, unavailable,
    message: "this operation can fail: catch its errors in it, and send an action for them"
  )
  public mutating func effect(
    _ name: String, _ policy: EffectPolicy = .replacing,
    file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable (Send) async throws -> Void
  ) {
    effect(name, policy, file: file, line: line) { send in
      do { try await operation(send) } catch {}
    }
  }
}
