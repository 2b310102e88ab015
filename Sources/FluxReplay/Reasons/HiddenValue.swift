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

extension ComparisonContext {
  /// Finds the value that a step needed and the log does not have; nil if there is none.
  func hiddenValue(of step: LogStep, _ replayed: ReplayedStep) -> HiddenValue? {
    if replayed.needsSecret { return .secret }
    if case .undecodable = replayed.verdict, let place = replayed.redacted {
      return .payload(place)
    }
    return isUndecided(step, replayed) ? .state : nil
  }
}
