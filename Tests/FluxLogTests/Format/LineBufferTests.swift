import Testing

@testable import FluxLog

@Suite struct LineBufferTests {
  @Test(
    "Whole numbers of any size are written in all their digits",
    arguments: [
      (0, "0"), (9, "9"), (10, "10"), (1_000_000, "1000000"),
      (UInt64.max, "18446744073709551615"),
    ])
  func numbers(number: UInt64, text: String) {
    var lines = LineBuffer()
    lines.line { $0.member("n", number) }
    #expect(String(decoding: lines.bytes, as: UTF8.self).hasPrefix("{\"n\":\(text),\"sum\":\""))
  }

  @Test(
    "Times are written with six decimals",
    arguments: [
      (0, "0.000000"), (7, "0.000007"), (201_331, "0.201331"), (61_000_000, "61.000000"),
      (UInt64.max, "18446744073709.551615"),
    ])
  func times(microseconds: UInt64, text: String) {
    var lines = LineBuffer()
    lines.line { $0.member("t", LogTime(microseconds: microseconds)) }
    #expect(String(decoding: lines.bytes, as: UTF8.self).hasPrefix("{\"t\":\(text),\"sum\":\""))
  }
}
