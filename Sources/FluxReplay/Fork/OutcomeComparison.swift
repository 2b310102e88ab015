import FluxJSON
import FluxLog

/// Compares the outcomes, messages and effects of a fork's steps with those of the recorded steps that they repeat, as
/// ``StepComparer`` does for a replay.
///
/// A step with another action than the recorded one is not compared: it differs on purpose.
struct OutcomeComparison {
  private(set) var divergences: [Divergence] = []
  /// The number of all divergences, also of those that are not kept.
  private(set) var count = 0
  private let context: ComparisonContext

  init(of fork: Fork) throws {
    context = try ComparisonContext(
      log: fork.timeline.log, app: fork.app, Verification.Options())
  }

  mutating func compare(_ step: ForkStep, with recorded: LogStep) throws {
    guard recorded.rejection?.cannotRunAgain != true, !context.app.needsDropped(recorded),
      context.app.converts(action: recorded.type)
        || context.isSame(recorded.action, step.action)
    else { return }
    switch (recorded.rejection, step.rejection) {
    case (nil, nil): break
    case (nil, let new?):
      return try add(.rejected, step, recorded, new.store, nil, new.json)
    case (let old?, nil):
      return try add(.accepted, step, recorded, old.store, old.json, nil)
    case (let old?, let new?):
      guard context.isSameReason(old, new) else {
        return try add(.reason, step, recorded, new.store, old.json, new.json)
      }
      try compareMessage(step, recorded, old, new)
    }
    var replayed = ReplayedStep(number: step.number, time: step.time, effects: step.effects)
    replayed.storeEffects = step.storeEffects.isEmpty ? nil : step.storeEffects
    var effects = EffectComparison(
      recorded, context, skipsStores: !context.droppedStores.isEmpty)
    effects.compare(replayed, returned: [])
    for found in effects.differences {
      try add(found.kind, step, recorded, found.store, found.recorded, found.replayed)
    }
  }

  /// Compares the messages of a reducer; one that may be worded with a redacted value is not compared.
  private mutating func compareMessage(
    _ step: ForkStep, _ recorded: LogStep, _ old: LogRejection, _ new: LogRejection
  ) throws {
    guard old.reason == LogRejection.refused, context.app.tells.contains(.messages),
      !RedactionToken.isMatch(new.message, of: old.message),
      !RedactionToken.isAnywhere(in: recorded.action)
    else { return }
    try add(
      .message, step, recorded, old.store, JSON(stringLiteral: old.message),
      JSON(stringLiteral: new.message))
  }

  private mutating func add(
    _ kind: Divergence.Kind, _ step: ForkStep, _ recorded: LogStep, _ store: String?, _ old: JSON?,
    _ new: JSON?
  ) throws {
    count += 1
    guard divergences.count < ForkComparison.mostDivergences else { return }
    var divergence = Divergence(
      kind, step: recorded.number, action: recorded.action, recorded: old, replayed: new)
    divergence.store = store
    divergences.append(try context.locate(divergence, at: recorded))
  }
}
