import Foundation
import TestFixtures
import Testing

@testable import FluxJSON

@Suite struct ISO8601Tests {
  @Test(
    "Dates are written in UTC with the decimals that they need",
    arguments: [
      (0.0, "2001-01-01T00:00:00Z"), (0.25, "2001-01-01T00:00:00.25Z"),
      (-0.25, "2000-12-31T23:59:59.75Z"), (-978_307_200, "1970-01-01T00:00:00Z"),
      (785_160_000.123456, "2025-11-18T12:00:00.123456Z"),
      (-63_114_076_800, "0000-12-30T00:00:00Z"), (63_113_904_000, "4001-01-01T00:00:00Z"),
      (-63_145_612_800, "-000001-12-31T00:00:00Z"), (1e15, "+31690739-07-06T01:46:40Z"),
      (-1e15, "-31686738-06-29T22:13:20Z"), (252_455_615_999, "+010000-12-31T23:59:59Z"),
      (1e-7, "2001-01-01T00:00:00.0000001Z"), (5_097_600, "2001-03-01T00:00:00Z"),
      (94_608_000 + 59 * 86_400, "2004-02-29T00:00:00Z"),
    ] as [(Double, String)])
  func text(seconds: Double, expected: String) {
    #expect(ISO8601.text(seconds) == expected)
    #expect(ISO8601.seconds(expected) == seconds)
  }

  @Test("Every date reads back the same to the last bit")
  func roundTrip() throws {
    var random = SeededGenerator()
    var samples: [Double] = [
      .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity,
      -.infinity, -0.0, 0x1p62, -0x1p62, (0x1p62).nextDown, (-0x1p62).nextUp, 1e-5, -1e-5,
      Date.distantPast.timeIntervalSinceReferenceDate,
      Date.distantFuture.timeIntervalSinceReferenceDate,
    ]
    for _ in 0..<3_000 {
      samples.append(Double(bitPattern: random.next()))
      samples.append(.random(in: -1e9...1e9, using: &random))
      samples.append(.random(in: -1e13...1e13, using: &random))
      samples.append(.random(in: -2...2, using: &random))
      samples.append(
        Double(Int.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)) / 1000)
    }
    for sample in samples where !sample.isNaN {
      let json = try LogEncoder().encode(Date(timeIntervalSinceReferenceDate: sample))
      let back = try LogDecoder().decode(Date.self, from: json)
      #expect(
        back.timeIntervalSinceReferenceDate.bitPattern == sample.bitPattern,
        "seed \(SeededGenerator.seed): \(sample) \(json)")
    }
  }

  @Test("The calendar is that of Foundation, where that has one")
  func calendar() throws {
    var random = SeededGenerator()
    for _ in 0..<500 {
      let seconds = Double(Int64.random(in: -12_000_000_000...200_000_000_000, using: &random))
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      #expect(ISO8601.text(seconds) == date.formatted(.iso8601), "seed \(SeededGenerator.seed)")
    }
  }

  @Test(
    "Offsets are read",
    arguments: [
      ("2001-01-01T01:00:00+01:00", 0.0), ("2000-12-31T23:30:00.5-00:30", 0.5),
      ("2001-01-01T00:00:00.500000000000000000000Z", 0.5), ("2004-02-29T00:00:00Z", 99_705_600),
    ] as [(String, Double)])
  func offsets(text: String, seconds: Double) {
    #expect(ISO8601.seconds(text) == seconds)
  }

  @Test(
    "What is no date is not read",
    arguments: [
      "", "2001", "2001-01-01", "2001-13-01T00:00:00Z", "2001-02-29T00:00:00Z",
      "1900-02-29T00:00:00Z", "2001-01-00T00:00:00Z", "2001-01-01T24:00:00Z",
      "2001-01-01T00:60:00Z", "2001-01-01T00:00:60Z", "2001-01-01T00:00:00",
      "2001-01-01T00:00:00.Z",
      "2001-1-1T00:00:00Z", "2001-01-01 00:00:00Z", "2001-01-01T00:00:00Zx",
      "+2001-01-01T00:00:00Z",
      "+9999999999999-01-01T00:00:00Z", "2001-01-01T00:00:00+1:00", "+999999999999-01-01T00:00:00Z",
      "12001-01-01T00:00:00Z",
    ])
  func refused(text: String) {
    #expect(ISO8601.seconds(text) == nil)
  }
}
