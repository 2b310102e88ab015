import Foundation

/// SplitMix64: the same numbers in every run with the same seed.
///
/// The seed is fixed, and can be set by the environment variable `FLUX_SEED`.
struct SeededNumbers {
  let seed: UInt64
  private var state: UInt64

  init() {
    seed = ProcessInfo.processInfo.environment["FLUX_SEED"].flatMap { UInt64($0) } ?? 11
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
