/// The random number generator of a step: small, fast, and the same in every language and on every machine.
///
/// The generator is SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
/// OOPSLA 2014). It is not cryptographically secure.
public struct SplitMix64: RandomNumberGenerator, Sendable, Equatable {
  private var state: UInt64

  /// Creates a generator with a given state.
  ///
  /// - Parameter state: Any number.
  public init(state: UInt64) {
    self.state = state
  }

  /// Creates the generator of a step.
  ///
  /// Its state is output number `step` of the generator with the state `seed`, so the streams of adjacent
  /// steps are unrelated.
  ///
  /// - Parameters:
  ///   - seed: The seed of the dispatcher.
  ///   - step: The number of the step.
  public init(seed: UInt64, step: UInt64) {
    var numbers = SplitMix64(state: seed &+ (step &- 1) &* Self.increment)
    self.init(state: numbers.next())
  }

  private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Returns the next number, uniformly distributed over `UInt64`.
  public mutating func next() -> UInt64 {
    state &+= Self.increment
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
