import Foundation
import Harness
import Testing

@Suite struct PowerLawTests {
  @Test(
    "the exponent of a power is found, whatever its factor",
    arguments: [(0.0, 5.0), (0.1, 0.3), (0.5, 2), (1, 7), (2, 0.01)])
  func power(exponent: Double, factor: Double) throws {
    let points = [1.0, 10, 100, 1_000, 14_000].map { size in
      (size: size, cost: factor * power(size, exponent))
    }
    let law = try #require(PowerLaw(points))
    #expect(abs(law.exponent - exponent) < 1e-9)
  }

  @Test("one size, and costs that are not above 0, have no exponent")
  func none() {
    #expect(PowerLaw([]) == nil)
    #expect(PowerLaw([(10, 1)]) == nil)
    #expect(PowerLaw([(10, 1), (10, 2)]) == nil)
    #expect(PowerLaw([(1, 1), (10, 0)]) == nil)
  }

  /// Repeated multiplication and roots would hide a mistake that both sides share with `pow`.
  private func power(_ base: Double, _ exponent: Double) -> Double {
    switch exponent {
    case 0: 1
    case 0.5: base.squareRoot()
    case 1: base
    case 2: base * base
    default: pow(base, exponent)
    }
  }
}
