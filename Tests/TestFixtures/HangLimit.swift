public import Testing

extension Trait where Self == TimeLimitTrait {
  /// A limit for tests that would hang if an action or an effect was lost.
  ///
  /// All tests begin at once, on as many threads as the machine has cores. The time that a test waits for a
  /// thread counts: on two cores that can be minutes.
  public static var hangLimit: Self { .timeLimit(.minutes(10)) }
}
