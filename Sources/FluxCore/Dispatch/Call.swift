import Foundation

/// How an action came to be dispatched: what ends up in its envelope, and what it belongs to.
struct Call: Sendable {
  var file: StaticString
  var line: UInt
  var target: StoreID?
  /// The index of the target, where the caller knows it.
  var slot: Int?
  /// Nil where the action was simply dispatched from outside any step.
  var origin: Origin?

  /// What is behind an action that was not simply dispatched; an object, because most actions have none
  /// and a call is handed on many times.
  final class Origin: Sendable {
    let cause: UInt64?
    /// The effect that dispatches it; where that was cancelled, the action is ignored.
    let effect: EffectToken?
    /// What somebody waits for to be over.
    let activity: Activity?
    /// The number and the time of the step where it is replayed.
    let recorded: (step: UInt64, time: Date)?
    /// Whether code inside a step dispatched it on its own account: it is no follow-up, though it has
    /// a cause.
    let isFromObserver: Bool

    init(
      cause: UInt64? = nil, effect: EffectToken? = nil, activity: Activity? = nil,
      recorded: (step: UInt64, time: Date)? = nil, isFromObserver: Bool = false
    ) {
      self.cause = cause
      self.effect = effect
      self.activity = activity
      self.recorded = recorded
      self.isFromObserver = isFromObserver
    }

    /// Whether the action comes from an effect that has been cancelled.
    var isCancelled: Bool { effect?.isCancelled ?? false }
  }

  var source: SourceLocation { SourceLocation(file: file, line: line) }
}
