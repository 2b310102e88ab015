import Foundation

/// How an action came to be dispatched: what ends up in its envelope, and what it belongs to.
@usableFromInline
struct Call: Sendable {
  var target: StoreID?
  /// Nil where the action was simply dispatched from outside any step.
  var origin: Origin?
  let file: StaticString
  let line: UInt

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

    init(
      cause: UInt64? = nil, effect: EffectToken? = nil, activity: Activity? = nil,
      recorded: (step: UInt64, time: Date)? = nil
    ) {
      self.cause = cause
      self.effect = effect
      self.activity = activity
      self.recorded = recorded
    }
  }

  @usableFromInline
  init(_ file: StaticString, _ line: UInt, to target: StoreID?) {
    self.init(file, line, to: target, origin: nil)
  }

  init(_ file: StaticString, _ line: UInt, to target: StoreID?, origin: Origin?) {
    self.target = target
    self.origin = origin
    self.file = file
    self.line = line
  }

  /// Whether it comes from an effect that has been cancelled.
  var isIgnored: Bool { origin?.effect?.isCancelled ?? false }

  var source: SourceLocation { SourceLocation(fileID: "\(file)", line: Int(line)) }
}
