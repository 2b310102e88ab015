import Foundation

/// The circumstances of a dispatch: the envelope is made from them, and they say what the action belongs to.
struct Call: Sendable {
  var file: StaticString
  var line: UInt
  var target: StoreID?
  /// The index of the target; nil if the caller does not know it.
  var slot: Int?
  /// Nil if the action was dispatched from outside any step.
  var origin: Origin?

  /// The origin of an action that has one; an object, because most actions have none and a call is copied
  /// many times.
  final class Origin: Sendable {
    let cause: UInt64?
    /// The effect that dispatched the action; if it is cancelled, the action is ignored.
    let effect: EffectToken?
    let activity: Activity?
    let recorded: (step: UInt64, time: Date)?
    /// The recorded tokens of the secrets that the step draws.
    let secrets: [String]
    /// `true` if an observer or a middleware dispatched the action, so that it has a cause and still is no
    /// follow-up.
    let isFromObserver: Bool
    /// The number of restored models when the action was queued in a turn.
    let restoreCount: UInt64

    init(
      cause: UInt64? = nil, effect: EffectToken? = nil, activity: Activity? = nil,
      recorded: (step: UInt64, time: Date)? = nil, secrets: [String] = [],
      isFromObserver: Bool = false, restoreCount: UInt64 = .max
    ) {
      self.cause = cause
      self.effect = effect
      self.activity = activity
      self.recorded = recorded
      self.secrets = secrets
      self.isFromObserver = isFromObserver
      self.restoreCount = restoreCount
    }

    /// `true` if the action must not run any more: its effect was cancelled, or its cause was undone by one of
    /// `restores` restored models.
    func isCancelled(restores: UInt64) -> Bool {
      if let effect, effect.isCancelled { return true }
      return cause != nil && restoreCount < restores
    }
  }
}
