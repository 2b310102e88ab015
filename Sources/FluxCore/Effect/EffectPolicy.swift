/// What happens to an effect where one of the same name and store is under way.
public enum EffectPolicy: Sendable, Equatable {
  /// Both run.
  case concurrent
  /// The new one waits until the earlier ones are done.
  case serial
  /// The earlier one is cancelled; the new one waits for the duration first, which makes a debounce.
  case replacing(after: Duration)
  /// The new one is dropped, until the earlier one is done and the duration since it started is over,
  /// which makes a throttle.
  case keeping(for: Duration)

  /// The earlier one is cancelled, and the new one starts at once.
  public static let replacing = EffectPolicy.replacing(after: .zero)
  /// The new one is dropped as long as the earlier one is under way.
  public static let keeping = EffectPolicy.keeping(for: .zero)
}
