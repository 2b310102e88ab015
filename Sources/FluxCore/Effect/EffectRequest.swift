struct EffectRequest: Sendable {
  var key: EffectKey
  let policy: EffectPolicy
  let file: StaticString
  let line: UInt
  var operation: @Sendable (Send) async -> Void
  /// `true` for a store's state that contains the element whose effect it is; nil if it is no element's effect.
  var isPresent: (@Sendable (Any) -> Bool)?

  var rule: EffectPolicy { policy.withoutProtection }

  var isUncancellable: Bool { rule != policy }

  /// `true` if the effect ends the earlier ones of its name.
  var replaces: Bool {
    if case .replacing = rule { true } else { false }
  }
}

/// A request of a step: to start an effect or to cancel those of a name.
enum EffectCommand: Sendable {
  case start(EffectRequest)
  case cancel(EffectKey)

  /// The command for middleware; `stores` are those of the dispatcher, in order.
  func request(_ stores: [StoreID]) -> Outcome.RequestedEffect {
    let (isCancellation, target) =
      switch self {
      case .start(let request):
        (
          false,
          EffectTarget(
            key: request.key, replaces: request.replaces, isPresent: request.isPresent)
        )
      case .cancel(let key): (true, EffectTarget(key: key, replaces: true))
      }
    return Outcome.RequestedEffect(
      store: stores[target.key.slot], name: target.key.name, isCancellation: isCancellation,
      target: target)
  }
}
