public import FluxCore
public import Foundation

extension Step {
  /// Calls `body` with a step of the given seed and number, to find out what a reducer gets from it.
  ///
  /// ```swift
  /// let id = Step.preview(seed: 1, step: 3) { $0.uuid() }
  /// ```
  /// The third step of a dispatcher with the seed 1 makes the same identifier. What `body` requests of the step,
  /// follow-ups and effects, goes nowhere.
  ///
  /// The seed, the number and the time are those of a dispatcher's step.
  ///
  /// - Throws: The error of `body`.
  public static func preview<Result, Failure: Error>(
    seed: UInt64, step: UInt64, at time: Date = Date(timeIntervalSinceReferenceDate: 0),
    _ body: (inout Step) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try detached(seed: seed, number: step, at: time, body)
  }
}

extension Dispatcher {
  /// Creates a dispatcher whose steps are the same in every run of a test: their random numbers, identifiers and
  /// times.
  ///
  /// - Parameters:
  ///   - stores: The stores.
  ///   - seed: The seed of all random numbers.
  ///   - clock: The clock of effects and steps.
  public convenience init(
    testing stores: [any Store], seed: UInt64 = 1, clock: TestClock = TestClock()
  ) {
    self.init(stores, seed: seed, clock: clock, now: { clock.date })
  }
}
