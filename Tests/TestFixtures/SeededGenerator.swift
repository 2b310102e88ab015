import Foundation

/// SplitMix64: random tests see the same values in each run with the same seed.
///
/// The seed is fixed, can be set by the environment variable `FLUX_SEED`, and is printed once by each process.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The seed of this run.
  public static let seed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["FLUX_SEED"]
    let seed = given.flatMap { UInt64($0) } ?? 20_261_120
    print("random values from FLUX_SEED=\(seed)")
    return seed
  }()

  private var state: UInt64

  /// Creates a generator that starts at a seed.
  public init(seed: UInt64 = SeededGenerator.seed) { state = seed }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
