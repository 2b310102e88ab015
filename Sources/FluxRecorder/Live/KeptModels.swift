import FluxCore

/// The newest models of a dispatcher by their steps, which a client may want to see.
///
/// Models share the states that did not change, so a model costs about what its step changed. It is measured as a
/// `LiveHistory` measures it, but a large state only now and then: otherwise the host would encode it at each step.
final class KeptModels: @unchecked Sendable {
  // Sendable: `lock` guards the variables.

  /// The bytes of models that may wait to be kept.
  private static let waitingByteCount = 32 << 20
  /// The bytes that are encoded for each change, on average.
  private static let measuredByteCount = 32 << 10

  /// A state's size, and the number of changes since it was measured.
  private struct Size {
    var byteCount: Int
    var age = 0
  }

  private let limit: LiveHistory.Limit
  private let lock = Lock()
  private var models: [UInt64: (model: Model, byteCount: Int)] = [:]
  /// The steps of the models in order; those before `first` are forgotten.
  private var steps: [UInt64] = []
  private var first = 0
  private var byteCount = 0
  private var sizes: [StoreID: Size] = [:]

  init(_ limit: LiveHistory.Limit) { self.limit = limit }

  /// The number of models that may wait to be kept, by the sizes so far.
  var waitingLimit: Int {
    let largest = lock.withLock { sizes.values.reduce(1) { $0 + $1.byteCount } }
    return max(16, min(LiveQueue.limit, Self.waitingByteCount / largest))
  }

  /// Keeps a model, and forgets the oldest ones if there are too many; the newest one stays in any case.
  func keep(_ model: Model, after step: UInt64, changed: [StoreID]) {
    let byteCount = changed.reduce(0) { $0 + size(of: $1, in: model) }
    let forgotten = lock.withLock { () -> [Model] in
      guard limit.models > 0, models.updateValue((model, byteCount), forKey: step) == nil else {
        return []
      }
      steps.append(step)
      self.byteCount += byteCount
      var forgotten: [Model] = []
      while steps.count - first > 1, isTooLarge {
        if let oldest = models.removeValue(forKey: steps[first]) {
          self.byteCount -= oldest.byteCount
          forgotten.append(oldest.model)
        }
        first += 1
      }
      if first > limit.models {
        steps.removeSubrange(..<first)
        first = 0
      }
      return forgotten
    }
    // Released without the lock, because a deinitialiser may dispatch.
    withExtendedLifetime(forgotten) {}
  }

  private var isTooLarge: Bool {
    steps.count - first > limit.models || byteCount > limit.bytes ?? .max
  }

  private func size(of store: StoreID, in model: Model) -> Int {
    guard limit.bytes != nil else { return 0 }
    let known = lock.withLock { () -> Int? in
      guard let size = sizes[store], size.age < size.byteCount / Self.measuredByteCount else {
        return nil
      }
      sizes[store]?.age += 1
      return size.byteCount
    }
    if let known { return known }
    let byteCount = model.byteCount(of: [store])
    lock.withLock { sizes[store] = Size(byteCount: byteCount) }
    return byteCount
  }

  /// Returns the model after a step; nil if it was not kept.
  func model(after step: UInt64) -> Model? { lock.withLock { models[step]?.model } }

  func removeAll() {
    let forgotten = lock.withLock {
      defer { (models, steps, first, byteCount) = ([:], [], 0, 0) }
      return models
    }
    withExtendedLifetime(forgotten) {}
  }
}
