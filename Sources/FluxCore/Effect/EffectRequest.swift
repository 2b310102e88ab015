/// What identifies an effect: names are private to a store, and to a child store.
struct EffectKey: Hashable, Sendable {
  let slot: Int
  /// Where a child store stands in its parent's state; empty for the store itself.
  var scope = ""
  let name: String
}

/// An effect that a step asked for.
struct EffectRequest: Sendable {
  var key: EffectKey
  let policy: EffectPolicy
  let file: StaticString
  let line: UInt
  let operation: @Sendable (Send) async -> Void
}

/// What a step asked of the effects, in the order in which it asked.
enum EffectCommand: Sendable {
  case start(EffectRequest)
  case cancel(EffectKey)

  /// The command as one of a child store.
  func scoped(_ scope: String) -> EffectCommand {
    switch self {
    case .cancel(var key):
      key.scope = scope + key.scope
      return .cancel(key)
    case .start(var request):
      request.key.scope = scope + request.key.scope
      return .start(request)
    }
  }

  /// The name of the effect that it starts.
  var startedName: String? {
    guard case .start(let request) = self else { return nil }
    return request.key.name
  }
}
