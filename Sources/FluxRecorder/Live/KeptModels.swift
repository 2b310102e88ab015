import FluxCore

/// The newest models of a dispatcher by their steps, which a client may want to see.
///
/// Models share the states that did not change, so a model costs about what its step changed.
final class KeptModels: @unchecked Sendable {
  // Sendable: `lock` guards the variables.

  private let limit: Int
  private let lock = Lock()
  private var models: [UInt64: Model] = [:]
  /// The steps of the models in order; those before `first` are forgotten.
  private var steps: [UInt64] = []
  private var first = 0

  init(limit: Int) { self.limit = limit }

  func keep(_ model: Model, after step: UInt64) {
    let forgotten = lock.withLock { () -> Model? in
      guard limit > 0, models.updateValue(model, forKey: step) == nil else { return nil }
      steps.append(step)
      guard steps.count - first > limit else { return nil }
      defer { first += 1 }
      if first > limit {
        steps.removeSubrange(..<first)
        first = 0
      }
      return models.removeValue(forKey: steps[first])
    }
    // Released without the lock, because a deinitialiser may dispatch.
    withExtendedLifetime(forgotten) {}
  }

  /// Returns the model after a step; nil if it was not kept.
  func model(after step: UInt64) -> Model? { lock.withLock { models[step] } }

  func removeAll() {
    let forgotten = lock.withLock {
      defer { (models, steps, first) = ([:], [], 0) }
      return models
    }
    withExtendedLifetime(forgotten) {}
  }
}
