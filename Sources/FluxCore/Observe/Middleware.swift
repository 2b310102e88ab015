/// Sees every step of a dispatcher, before and after it: a logger, a recorder, a guard.
///
/// Middleware runs inside the turn, in the order in which it was added. Actions that it dispatches are queued.
public protocol Middleware: Sendable {
  /// Called with an action before any store handles it.
  ///
  /// - Parameters:
  ///   - envelope: The action and its circumstances.
  ///   - model: The states before the step.
  /// - Throws: Any error; it rejects the step.
  func willDispatch(_ envelope: Envelope, _ model: Model) throws

  /// Called with the outcome of an action, even if it was rejected.
  ///
  /// - Parameter step: The action with its outcome and the states after it.
  func didDispatch(_ step: CompletedStep)

  /// Called after the dispatcher was set to another model, before the observers; see ``Dispatcher/restore(_:)``.
  ///
  /// - Parameter restoration: The model, and what differs from the one before.
  func didRestore(_ restoration: Restoration)
}

/// A step that has committed or was rejected, for middleware.
public struct CompletedStep: Sendable {
  /// The action and its circumstances, as the middleware got them before the step.
  public let envelope: Envelope
  /// The outcome; ``Outcome/followUps`` and ``Outcome/requestedEffects`` list the step's requests.
  public let outcome: Outcome
  /// The stores that the step changed, in the order of the dispatcher.
  public let changed: [StoreID]
  /// The states after the step.
  public let model: Model

  init(
    _ envelope: consuming Envelope, _ outcome: Outcome, _ changes: borrowing ChangedStores
  ) {
    self.envelope = envelope
    self.outcome = outcome
    changed = changes.ids
    model = changes.model
  }

  /// Returns `true` if the step ends an effect of an earlier one: it cancels or replaces it, or removes its element.
  package func ends(_ effect: Outcome.RequestedEffect) -> Bool {
    guard let target = effect.target else { return false }
    let requests = outcome.requestedEffects.compactMap(\.target)
    if requests.contains(where: { $0.replaces && $0.key == target.key }) { return true }
    guard let isPresent = target.isPresent else { return false }
    return !isPresent(model.snapshots[target.key.slot].value)
  }
}

/// A model to which a dispatcher was set, without a step.
public struct Restoration: Sendable {
  /// The states from now on.
  public let model: Model
  /// The step after which the dispatcher had that model; 0 for its first model, nil if it never had it.
  public let step: UInt64?
  /// The number of the next step.
  public let nextStep: UInt64
  /// The stores whose states differ from those before, in the order of the dispatcher.
  public let changed: [StoreID]
}

extension Middleware {
  /// Does nothing.
  public func willDispatch(_ envelope: Envelope, _ model: Model) throws {}

  /// Does nothing.
  public func didDispatch(_ step: CompletedStep) {}

  /// Does nothing.
  public func didRestore(_ restoration: Restoration) {}
}
