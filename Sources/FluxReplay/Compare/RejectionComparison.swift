import FluxJSON
import FluxLog

/// A difference between a recorded step and a step that repeats it.
struct StepDifference {
  let kind: Divergence.Kind
  /// The store to which the difference belongs, by its name in the log or that of the app; nil if it is not known.
  let store: String?
  let recorded: JSON?
  let replayed: JSON?
}

/// The comparison of a step's outcome with the recorded one: whether both ran, or were rejected for the same reason.
enum RejectionComparison {
  case same
  case different(StepDifference)
  /// A reducer rejected both, and the app does not tell its messages.
  case untoldMessage
  /// The messages of a reducer differ, and it may have worded the recorded one with a redacted value.
  case redactedMessage
}

extension ComparisonContext {
  /// Compares the rejection of a step with the recorded one; nil stands for a step that ran.
  ///
  /// Messages are compared only if a reducer worded them; those of other reasons are the library's wording. `state` returns
  /// the recorded state of a store before the step.
  func compareRejection(
    _ replayed: LogRejection?, of step: LogStep, state: (_ store: String) throws -> JSON?
  ) rethrows -> RejectionComparison {
    switch (step.rejection, replayed) {
    case (nil, nil):
      return .same
    case (nil, let new?):
      return .different(
        StepDifference(kind: .rejected, store: new.store, recorded: nil, replayed: new.json))
    case (let old?, nil):
      return .different(
        StepDifference(kind: .accepted, store: old.store, recorded: old.json, replayed: nil))
    case (let old?, let new?):
      guard isSameReason(old, new) else {
        return .different(
          StepDifference(kind: .reason, store: new.store, recorded: old.json, replayed: new.json))
      }
      guard old.reason == LogRejection.refused, options.messages == .compare else { return .same }
      guard app.tells.contains(.messages) else { return .untoldMessage }
      guard !RedactionToken.isMatch(new.message, of: old.message) else { return .same }
      // The reducer may have worded the message with a redacted value, in any form.
      guard !RedactionToken.isAnywhere(in: step.action),
        try !(old.store.flatMap(state).map(RedactionToken.isAnywhere) ?? false)
      else { return .redactedMessage }
      return .different(
        StepDifference(
          kind: .message, store: old.store, recorded: JSON(stringLiteral: old.message),
          replayed: JSON(stringLiteral: new.message)))
    }
  }
}
