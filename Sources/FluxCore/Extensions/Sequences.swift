extension StoreHandle {
  /// The states of the store: the present one, then each that a step leads to.
  ///
  /// Who iterates slowly gets the states late; which are kept meanwhile is the policy's choice.
  ///
  /// - Parameter policy: Which states to keep for a slow reader; all of them by default.
  /// - Returns: The sequence; it ends with the dispatcher, or when its task is cancelled.
  public func states(
    buffering policy: AsyncStream<S.State>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<S.State> {
    AsyncStream(bufferingPolicy: policy) { continuation in
      let engine = dispatcher.engine
      let receipt = observe({ $0 }) { state in continuation.yield(state) }
      let ending = engine.endings.add { continuation.finish() }
      continuation.onTermination = { _ in
        receipt.cancel()
        engine.endings.remove(ending)
      }
    }
  }
}

extension Dispatcher {
  /// What became of an action, with the action.
  public struct Report: Sendable {
    /// The action and its circumstances.
    public let envelope: Envelope
    /// What became of it.
    public let outcome: Outcome
    /// The stores that it changed, in the order of the dispatcher.
    public let changed: [StoreID]
  }

  /// What becomes of every action from here on, rejected ones included.
  ///
  /// - Parameter policy: Which reports to keep for a slow reader; all of them by default.
  /// - Returns: The sequence; it ends with the dispatcher, or when its task is cancelled.
  public func outcomes(
    buffering policy: AsyncStream<Report>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Report> {
    AsyncStream(bufferingPolicy: policy) { continuation in
      let cancellation = engine.use(OutcomeReporter(continuation: continuation))
      let ending = engine.endings.add { continuation.finish() }
      continuation.onTermination = { [engine] _ in
        cancellation.cancel()
        engine.endings.remove(ending)
      }
    }
  }
}

/// Reports outcomes to a sequence.
private struct OutcomeReporter: Middleware {
  let continuation: AsyncStream<Dispatcher.Report>.Continuation

  func didDispatch(
    _ envelope: Envelope, _ outcome: Outcome, _ changed: [StoreID], _ model: Model
  ) {
    continuation.yield(
      Dispatcher.Report(envelope: envelope, outcome: outcome, changed: changed))
  }
}
