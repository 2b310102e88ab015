import TestFixtures
import Testing

@testable import FluxJSON

@Suite struct JSONNumberTests {
  static let ascending = [
    "-1e400000001", "-1e400000000", "-9007199254740993", "-9007199254740992", "-1.5", "-1",
    "-0.1", "-1e-400", "0", "1e-99999999999999999999", "1e-99999999999999999998", "1e-400",
    "0.09", "0.1", "0.10000000000000000000001", "1", "1.5", "9", "10", "99.9", "100",
    "9007199254740992", "9007199254740993", "1e400", "1.1e400", "1e401", "1e4000000000000000000",
    "1e99999999999999999998", "1e99999999999999999999",
  ]

  @Test("Numbers are ordered by their exact values", arguments: ascending.indices)
  func order(place: Int) throws {
    let number = try #require(JSONNumber(Self.ascending[place]))
    for (otherPlace, text) in Self.ascending.enumerated() {
      let other = try #require(JSONNumber(text))
      #expect((number < other) == (place < otherPlace), "\(number) < \(other)")
      #expect((number == other) == (place == otherPlace), "\(number) == \(other)")
    }
  }

  @Test("Ways to write the same number are equal, and hashed the same")
  func sameValue() throws {
    var random = SeededGenerator()
    for _ in 0..<2_000 {
      let digits = String(random.next() >> UInt64.random(in: 0..<60, using: &random) | 1)
      let sign = Bool.random(using: &random) ? "-" : ""
      let exponent = Int.random(in: -50...50, using: &random)
      let zeros = Int.random(in: 0...30, using: &random)
      let texts = [
        "\(sign)\(digits)e\(exponent)",
        "\(sign)\(digits)\(String(repeating: "0", count: zeros)).000E\(exponent - zeros)",
        "\(sign)0.\(String(repeating: "0", count: zeros))\(digits)e+"
          + "\(exponent + zeros + digits.count)",
      ].map { $0.replacing("e+-", with: "e-") }
      let numbers = try texts.map { try #require(JSONNumber($0), "\($0)") }
      let claim = "seed \(SeededGenerator.seed): \(texts)"
      #expect(numbers[0] == numbers[1] && numbers[1] == numbers[2], "\(claim)")
      #expect(Set(numbers).count == 1, "\(claim)")
      let next = try #require(JSONNumber("\(sign)\(digits)1e\(exponent - 1)"))
      #expect(numbers[0] != next, "\(claim)")
      #expect((numbers[0] < next) == (sign == ""), "\(claim)")
    }
  }

  @Test("Integers are given where the value is one in the range")
  func integers() throws {
    func number(_ text: String) throws -> JSONNumber { try #require(JSONNumber(text)) }
    #expect(try number("-9223372036854775808").int64 == .min)
    #expect(try number("9223372036854775808").int64 == nil)
    #expect(try number("18446744073709551615").uint64 == .max)
    #expect(try number("18446744073709551616").uint64 == nil)
    #expect(try number("-0").uint64 == 0)
    #expect(try number("-1").uint64 == nil)
    #expect(try number("0.00012e4").int64 == nil)
    #expect(try number("0.0012e4").int64 == 12)
    #expect(try number("12300e-2").int64 == 123)
    #expect(try number("1e18").int64 == 1_000_000_000_000_000_000)
    #expect(try number("1e19").int64 == nil)
    #expect(try number("0e999999999999999999999").int64 == 0)
    #expect(try number("1e400").double == .infinity)
    #expect(try number("-1e-400").double == 0)
    #expect(try number("0.1").double == 0.1)
  }

  @Test(
    "Other texts are no numbers", arguments: ["", " 1", "1 ", "01", "+1", "1.", "NaN", "\"1\""])
  func refused(text: String) {
    #expect(JSONNumber(text) == nil)
  }
}
