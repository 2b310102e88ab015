package import Foundation

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
  /// Its state is output number `step` of the generator with the state `seed`, so the streams of adjacent steps are
  /// unrelated.
  package init(seed: UInt64, step: UInt64) {
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

  /// Makes a UUID of version 4 from the next two numbers.
  package mutating func uuid() -> UUID {
    let high = next()
    let low = next()
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
    }
    return UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
        byte(high, 4), byte(high, 5), byte(high, 6) & 0x0F | 0x40, byte(high, 7),
        byte(low, 0) & 0x3F | 0x80, byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}
