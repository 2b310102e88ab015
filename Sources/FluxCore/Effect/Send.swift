/// The way by which an effect dispatches.
///
/// Once the effect is cancelled, or its dispatcher is gone, what it sends is ignored: a late effect reaches
/// no other dispatcher, and not its own either.
public struct Send: Sendable {
  let engine: Engine
  let slot: Int
  let token: EffectToken
  let activity: Activity?
  let file: StaticString
  let line: UInt

  /// Dispatches an action with the step that started the effect as its cause.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store that it is for; nil for all that take it, but an action of the store's own that
  ///     started the effect is then for that instance alone.
  /// - Returns: What became of it.
  @discardableResult
  public func callAsFunction(_ action: some Action, to target: StoreID? = nil) -> Outcome {
    if token.isCancelled { return .ignored }
    let origin = Call.Origin(cause: token.cause, effect: token, activity: activity)
    let target = target ?? engine.target(of: type(of: action), from: slot)
    let call = Call(file: file, line: line, target: target, origin: origin)
    return ActionReference.withReference(to: action) { engine.dispatch($0, call) }
  }
}
