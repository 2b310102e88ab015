@testable import FluxCore

extension EffectCenter {
  /// The number of effects that wait for earlier ones of their name, in a dispatcher with one store.
  var waitingCount: Int { running(["store"]).count { $0.task == nil } }
}
