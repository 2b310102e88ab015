import Harness
import Testing

@Suite struct ReadableTests {
  @Test(
    "numbers have three digits that count",
    arguments: [
      (0, "0"), (0.0123, "0.012"), (0.999, "0.999"), (0.9999, "1.00"), (1.234, "1.23"),
      (9.999, "10.0"), (12.34, "12.3"), (150, "150"), (1_234.5, "1,235"),
      (33_300_000, "33,300,000"), (-2_500, "-2,500"), (.infinity, "inf"),
    ])
  func numbers(value: Double, text: String) {
    #expect(Readable.number(value) == text)
  }
}
