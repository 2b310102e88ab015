import FluxLog

/// A value that the log does not have and that a step needed.
enum HiddenValue {
  /// The value of a secret.
  case secret
  /// A redacted value of the payload, at a place that a type does not accept without it.
  case payload(String)
  /// The state of a store that is not compared.
  case state
}

extension HiddenValue {
  /// Finds the value that a step needed and the log does not have; nil if there is none.
  init?(of step: LogStep, _ replayed: ReplayedStep, _ context: ComparisonContext) {
    if replayed.needsSecret {
      self = .secret
    } else if case .undecodable = replayed.verdict, let place = replayed.redacted {
      self = .payload(place)
    } else if context.isUndecided(step, replayed) {
      self = .state
    } else {
      return nil
    }
  }
}
