/// Identifies an effect: names are private to a store, to a child store, and to an element of a list.
struct EffectKey: Hashable, @unchecked Sendable {
  // Sendable: a scope consists of key paths and identifiers that are Sendable where it is made.

  let slot: Int
  /// The way to a child store or an element in the store's state; empty for the store itself.
  var scope: [AnyHashable] = []
  let name: String
}

struct EffectRequest: Sendable {
  var key: EffectKey
  let policy: EffectPolicy
  let file: StaticString
  let line: UInt
  var operation: @Sendable (Send) async -> Void
  /// `true` for a store's state that contains the element whose effect it is; nil if it is no element's effect.
  var isPresent: (@Sendable (Any) -> Bool)?

  /// The policy, without the protection from cancellation.
  var rule: EffectPolicy { policy.withoutProtection }

  var isUncancellable: Bool { rule != policy }
}

/// A request of a step: to start an effect or to cancel those of a name.
enum EffectCommand: Sendable {
  case start(EffectRequest)
  case cancel(EffectKey)

  /// The command for middleware; `stores` are those of the dispatcher, in order.
  func request(_ stores: [StoreID]) -> Outcome.RequestedEffect {
    let (key, isCancellation) =
      switch self {
      case .start(let request): (request.key, false)
      case .cancel(let key): (key, true)
      }
    return Outcome.RequestedEffect(
      store: stores[key.slot], name: key.name, isCancellation: isCancellation)
  }
}
