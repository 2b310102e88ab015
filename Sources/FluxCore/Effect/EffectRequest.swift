/// What identifies an effect: names are private to a store.
struct EffectKey: Hashable, Sendable {
  let slot: Int
  let name: String
}

/// An effect that a step asked for.
struct EffectRequest: Sendable {
  let key: EffectKey
  let policy: EffectPolicy
  let file: StaticString
  let line: UInt
  let operation: @Sendable (Send) async -> Void
}

/// What a step asked of the effects, in the order in which it asked.
enum EffectCommand: Sendable {
  case start(EffectRequest)
  case cancel(EffectKey)

  /// The name of the effect that it starts.
  var startedName: String? {
    guard case .start(let request) = self else { return nil }
    return request.key.name
  }
}
