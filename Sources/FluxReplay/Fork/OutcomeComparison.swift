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

  /// Compares a step with the recorded one; `state` returns the recorded state of a store before that.
  mutating func compare(
    _ step: ForkStep, with recorded: LogStep, state: (_ store: String) throws -> JSON?
  ) throws {
    guard context.app.canReplay(recorded),
      context.app.converts(action: recorded.type)
        || context.isSame(recorded.action, step.action)
    else { return }
    let outcome = try context.compareRejection(step.rejection, of: recorded, state: state)
    if case .different(let found) = outcome { try add(found, recorded) }
    // A step that ran has other effects than one that did not.
    guard (step.rejection == nil) == (recorded.rejection == nil) else { return }
    var replayed = ReplayedStep(number: step.number, time: step.time, effects: step.effects)
    replayed.storeEffects = step.storeEffects.isEmpty ? nil : step.storeEffects
    var effects = EffectComparison(recorded, context)
    effects.compare(replayed, returned: [])
    for found in effects.differences { try add(found, recorded) }
  }

  private mutating func add(_ found: Divergence, _ recorded: LogStep) throws {
    count += 1
    guard divergences.count < ForkComparison.mostDivergences else { return }
    divergences.append(try context.locate(found, at: recorded))
  }
}
