/// The receiver of the actions that effects dispatch, and the source of the states that they read.
///
/// Closures and not a protocol: calling a method of a protocol reads the object's header, and the Thread Sanitizer takes
/// that for a race with a reducer that changes the object's members in its turn.
struct EffectHost: Sendable {
  let dispatch: @Sendable (_ action: any Action, _ slot: Int, _ call: Call) -> Outcome
  let model: @Sendable () -> Model
}

/// Dispatches the actions of an effect, reads states, and sleeps.
///
/// Once the effect is cancelled or its dispatcher is gone, actions are ignored. A late effect never reaches
/// another dispatcher.
public struct Send: Sendable {
  let host: EffectHost
  let slot: Int
  let token: EffectToken
  let activity: Activity?
  let clock: any Clock<Duration>
  let file: StaticString
  let line: UInt
  /// Wraps the actions of an element in those of its store; nil for other actions.
  var embed: (@Sendable (any Action) -> (any Action)?)?

  /// Dispatches an action; its cause is the step that started the effect.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store to send the action to; nil for every store that handles it. Without a target, an
  ///     own action of the store that started the effect goes to that instance only.
  /// - Returns: The outcome of the action.
  @discardableResult
  public func callAsFunction(_ action: some Action, to target: StoreID? = nil) -> Outcome {
    if token.isCancelled { return .ignored }
    let origin = Call.Origin(cause: token.cause, effect: token, activity: activity)
    return host.dispatch(
      target == nil ? embed?(action) ?? action : action, slot,
      Call(file: file, line: line, target: target, origin: origin))
  }

  /// Returns a value for an element's effect, whose actions `embed` wraps before those around it do.
  func embedding(_ embed: @escaping @Sendable (any Action) -> (any Action)?) -> Send {
    var send = self
    let outer = self.embed
    send.embed = { action in
      guard let whole = embed(action) else { return outer?(action) }
      return outer?(whole) ?? whole
    }
    return send
  }

  /// The states of all stores as of the last committed step.
  ///
  /// Steps run while an effect runs: read the model when you need it, and expect a different one after an `await`.
  public var model: Model { host.model() }

  /// Sleeps on the dispatcher's clock, which a test can advance.
  ///
  /// - Parameter duration: The time to sleep.
  /// - Throws: `CancellationError` if the effect is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await clock.sleep(for: duration)
  }

  /// Runs the part of the effect that must not stop halfway.
  ///
  /// If the effect is cancelled or replaced meanwhile, `body` runs to its end and its actions are accepted; the
  /// effect is cancelled then. Only ``Dispatcher/restore(_:)`` and the end of the dispatcher cancel it at once.
  /// ```swift
  /// step.effect("buy") { [service] send in
  ///   let offer = await service.offer()
  ///   await send.commit { send(LibraryAction.bought(await service.buy(offer))) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller, on which the closure runs.
  ///   - body: The part that runs to its end.
  /// - Returns: The result of `body`; nil if the effect was cancelled before, so that `body` did not run.
  @discardableResult
  public func commit<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async rethrows -> Value? {
    guard token.beginCommit() else { return nil }
    defer { token.endCommit() }
    return try await body()
  }
}
