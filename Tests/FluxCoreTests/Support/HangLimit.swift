import Testing

extension Trait where Self == TimeLimitTrait {
  /// For tests that would hang where an action or an effect was lost.
  ///
  /// All tests begin at once, on as many threads as the machine has cores, and the time that one waits for
  /// a thread counts: on two cores that is minutes.
  static var hangLimit: Self { .timeLimit(.minutes(10)) }
}
