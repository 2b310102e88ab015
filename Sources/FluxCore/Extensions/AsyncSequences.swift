extension StoreHandle {
  /// Returns the states of the store as a sequence: the current state, then each new one.
  ///
  /// - Parameter policy: The states to buffer for a slow reader; all of them by default.
  /// - Returns: The sequence; it ends when the dispatcher is released or the reading task is cancelled.
  public func states(
    buffering policy: AsyncStream<S.State>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<S.State> {
    dispatcher.engine.stream(buffering: policy) { yield in observe({ $0 }, yield) }
  }
}

extension Dispatcher {
  /// Returns the values of a selector over several stores as a sequence: the current one, then each new one.
  ///
  /// - Parameters:
  ///   - policy: The values to buffer for a slow reader; all of them by default.
  ///   - select: Selects the value; see ``observe(initial:_:_:)``.
  /// - Returns: The sequence; it ends when the dispatcher is released or the reading task is cancelled.
  public func states<Value: Equatable & Sendable>(
    buffering policy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    _ select: @escaping @Sendable (borrowing ModelReader) -> Value
  ) -> AsyncStream<Value> {
    engine.stream(buffering: policy) { yield in observe(select, yield) }
  }
}

extension Engine {
  /// Makes a sequence of an observation's values.
  fileprivate func stream<Value: Sendable>(
    buffering policy: AsyncStream<Value>.Continuation.BufferingPolicy,
    _ observe: (_ yield: @escaping @Sendable (Value) -> Void) -> Receipt
  ) -> AsyncStream<Value> {
    AsyncStream(bufferingPolicy: policy) { continuation in
      let receipt = observe { continuation.yield($0) }
      let termination = terminationHandlers.add { continuation.finish() }
      continuation.onTermination = { [self] _ in
        receipt.cancel()
        terminationHandlers.remove(termination)
      }
    }
  }
}

extension Dispatcher {
  /// An action with its outcome.
  public struct Report: Sendable {
    /// The action and its circumstances.
    public let envelope: Envelope
    /// The outcome.
    public let outcome: Outcome
    /// The stores that the step changed, in the order of the dispatcher.
    public let changed: [StoreID]
  }

  /// Returns the outcomes of all actions from now on as a sequence, including rejected actions.
  ///
  /// - Parameter policy: The reports to buffer for a slow reader; all of them by default.
  /// - Returns: The sequence; it ends when the dispatcher is released or the reading task is cancelled.
  public func outcomes(
    buffering policy: AsyncStream<Report>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Report> {
    AsyncStream(bufferingPolicy: policy) { continuation in
      let cancellation = engine.use(OutcomeReporter(continuation: continuation))
      let termination = engine.terminationHandlers.add { continuation.finish() }
      continuation.onTermination = { [engine] _ in
        cancellation.cancel()
        engine.terminationHandlers.remove(termination)
      }
    }
  }
}

private struct OutcomeReporter: Middleware {
  let continuation: AsyncStream<Dispatcher.Report>.Continuation

  func didDispatch(
    _ envelope: Envelope, _ outcome: Outcome, _ changed: [StoreID], _ model: Model
  ) {
    continuation.yield(
      Dispatcher.Report(envelope: envelope, outcome: outcome, changed: changed))
  }
}
