extension StoreHandle {
  /// Returns the states of the store as a sequence: the current state, then each new one.
  ///
  /// `policy` says which states to buffer for a slow reader. The sequence ends when the dispatcher is released or
  /// the reading task is cancelled. A handle holds its dispatcher, so call this outside of a task that should end with it.
  public func states(
    buffering policy: AsyncStream<S.State>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<S.State> {
    dispatcher.engine.stream(buffering: policy) { yield in observe({ $0 }, yield).cancel }
  }
}

extension Dispatcher {
  /// Returns the values of a selector over several stores as a sequence: the current one, then each new one.
  ///
  /// `select` is as for ``observe(initial:_:_:)``. Buffering and the end are as for the states of one store.
  public func states<Value: Equatable & Sendable>(
    buffering policy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
    _ select: @escaping @Sendable (borrowing ModelReader) -> Value
  ) -> AsyncStream<Value> {
    engine.stream(buffering: policy) { yield in observe(select, yield).cancel }
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
  /// Buffering and the end are as for the states of a store.
  public func outcomes(
    buffering policy: AsyncStream<Report>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Report> {
    engine.stream(buffering: policy) { yield in engine.use(OutcomeReporter(report: yield)).cancel }
  }
}

private struct OutcomeReporter: Middleware {
  let report: @Sendable (Dispatcher.Report) -> Void

  func didDispatch(_ step: CompletedStep) {
    // Without the model: reports that wait for a reader would keep old states alive.
    report(Dispatcher.Report(envelope: step.envelope, outcome: step.outcome, changed: step.changed))
  }
}

extension Engine {
  /// Makes a sequence; `start` passes values to `yield` until the closure that it returns is called.
  fileprivate func stream<Value: Sendable>(
    buffering policy: AsyncStream<Value>.Continuation.BufferingPolicy,
    _ start: (_ yield: @escaping @Sendable (Value) -> Void) -> @Sendable () -> Void
  ) -> AsyncStream<Value> {
    AsyncStream(bufferingPolicy: policy) { continuation in
      let stop = start { continuation.yield($0) }
      let termination = terminationHandlers.add { continuation.finish() }
      continuation.onTermination = { [self] _ in
        stop()
        terminationHandlers.remove(termination)
      }
    }
  }
}
