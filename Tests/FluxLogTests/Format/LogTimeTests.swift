import Testing

@testable import FluxLog

@Suite struct LogTimeTests {
  @Test(
    "Seconds are read to the microsecond, in any notation of JSON",
    arguments: [
      ("0", 0), ("0.0", 0), ("0.000001", 1), ("0.201331", 201_331), ("3", 3_000_000),
      ("3.2", 3_200_000), ("12.5e0", 12_500_000), ("1e-3", 1000), ("1E+2", 100_000_000),
      ("0.0000019", 1), ("123456789012.123456", 123_456_789_012_123_456), ("0e999999999999", 0),
      ("1e-999999999999999999999", 0), ("18446744073709.551615", UInt64.max),
      ("-0", 0), ("-0.000000", 0), ("-0e5", 0),
    ] as [(String, UInt64)])
  func read(text: String, microseconds: UInt64) {
    #expect(LogTime(seconds: text) == LogTime(microseconds: microseconds))
  }

  @Test(
    "What is no time of a log is refused",
    arguments: [
      "-1", "-0.5", "-1e-7", "-", "1e400", "18446744073709.551616", "1e99999999999999999999", "",
    ])
  func refused(text: String) {
    #expect(LogTime(seconds: text) == nil)
  }

  @Test(
    "Times are written with six decimals",
    arguments: [
      (0, "0.000000"), (1, "0.000001"), (201_331, "0.201331"), (60_000_000, "60.000000"),
      (UInt64.max, "18446744073709.551615"),
    ] as [(UInt64, String)])
  func written(microseconds: UInt64, text: String) {
    #expect(LogTime(microseconds: microseconds).description == text)
    #expect(LogTime(seconds: text)?.microseconds == microseconds)
  }
}
