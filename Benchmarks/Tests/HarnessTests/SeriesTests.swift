import Harness
import Testing

@Suite struct SeriesTests {
  private static let cases: [(values: [Double], median: Double, spread: Double)] = [
    ([7], 7, 0),
    ([3, 1, 2], 2, 0.5),
    ([10, 10, 10, 10], 10, 0),
    ([8, 9, 10, 11, 12, 13, 14, 90], 12, 1.0 / 6),
    ([-4, -2, -2, -1], -2, 0.25),
    ([0, 0, 0], 0, 0),
  ]

  @Test(
    "a series is summed up by its middle and half of the distance of its quartiles",
    arguments: cases)
  func summary(values: [Double], median: Double, spread: Double) {
    let series = Series(values)
    #expect(series.median == median)
    #expect(abs(series.spread - spread) < 1e-12)
    #expect(series.count == values.count)
  }
}
