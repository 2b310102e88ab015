import Testing

@testable import FluxLog

@Suite struct LogInstantTests {
  @Test(
    "Instants are read and written",
    arguments: [
      ("1970-01-01T00:00:00.000000Z", 0), ("2026-11-20T12:00:00.000000Z", 1_795_176_000_000_000),
      ("2000-02-29T23:59:59.999999Z", 951_868_799_999_999), ("1969-12-31T23:59:59.999999Z", -1),
      ("0001-01-01T00:00:00.000000Z", -62_135_596_800_000_000),
      ("9999-12-31T23:59:59.000001Z", 253_402_300_799_000_001),
    ] as [(String, Int64)])
  func both(text: String, microseconds: Int64) {
    #expect(LogInstant(text)?.microseconds == microseconds)
    #expect(LogInstant(microseconds: microseconds).description == text)
  }

  @Test(
    "Other zones and decimals are read",
    arguments: [
      ("2026-11-20T14:00:00+02:00", "2026-11-20T12:00:00.000000Z"),
      ("2026-11-20T07:30:00.5-04:30", "2026-11-20T12:00:00.500000Z"),
      ("2026-11-20T12:00:00.1234567Z", "2026-11-20T12:00:00.123456Z"),
      ("2026-11-20t12:00:00z", "2026-11-20T12:00:00.000000Z"),
    ])
  func zones(text: String, inUTC: String) {
    #expect(LogInstant(text)?.description == inUTC)
  }

  @Test(
    "What is no date and time with a zone is refused",
    arguments: [
      "", "2026-11-20", "2026-11-20T12:00:00", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
      "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
      "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:00.Z",
      "2026-01-01T00:00:00Zx", "2026-01-01T00:00:00+2:00", "26-01-01T00:00:00Z",
    ])
  func refused(text: String) {
    #expect(LogInstant(text) == nil)
  }

  @Test("Every day of four centuries round-trips")
  func days() {
    for day in stride(from: Int64(-36_525), to: 36_525 * 3, by: 1) {
      let instant = LogInstant(microseconds: day * 86_400_000_000)
      #expect(LogInstant(instant.description) == instant)
    }
  }
}
