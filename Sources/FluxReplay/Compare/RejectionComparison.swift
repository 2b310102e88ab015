import FluxJSON
import FluxLog

extension Divergence {
  /// Creates a difference between a recorded step and a step that repeats it.
  init(
    _ kind: Kind, of step: LogStep, store: String? = nil, recorded: JSON? = nil,
    replayed: JSON? = nil
  ) {
    self.init(
      kind, step: step.number, action: step.action, recorded: recorded, replayed: replayed)
    self.store = store
  }

  /// Takes the two values of a place at which the states of a store differ.
  mutating func take(_ place: StateComparison.Pair, of store: String) {
    (self.store, path) = (store, place.path)
    (recorded, replayed, isRedacted) = (place.recorded, place.replayed, place.isRedacted)
  }
}

/// The comparison of a step's outcome with the recorded one: whether both ran, or were rejected for the same reason.
enum RejectionComparison {
  case same
  case different(Divergence)
  /// A reducer rejected both, and its messages cannot be compared.
  case notCompared(NotCompared)
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
        Divergence(.rejected, of: step, store: new.store, replayed: new.json))
    case (let old?, nil):
      return .different(
        Divergence(.accepted, of: step, store: old.store, recorded: old.json))
    case (let old?, let new?):
      guard isSameReason(old, new) else {
        return .different(
          Divergence(
            .reason, of: step, store: new.store, recorded: old.json, replayed: new.json))
      }
      guard old.reason == LogRejection.refused else { return .same }
      guard options.messages == .compare else { return .notCompared(.ignoredMessages) }
      guard app.tells.contains(.messages) else { return .notCompared(.untoldMessages) }
      guard !RedactionToken.isMatch(new.message, of: old.message) else { return .same }
      // The reducer may have worded the message with a redacted value, in any form.
      guard !RedactionToken.isAnywhere(in: step.action),
        try !(old.store.flatMap(state).map(RedactionToken.isAnywhere) ?? false)
      else { return .notCompared(.messages) }
      return .different(
        Divergence(
          .message, of: step, store: old.store, recorded: JSON(stringLiteral: old.message),
          replayed: JSON(stringLiteral: new.message)))
    }
  }
}
