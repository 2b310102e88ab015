import FluxJSON
import Testing

@testable import FluxLog

@Suite struct EncodingFailureTests {
  private struct Leak: Error, CustomStringConvertible {
    var description: String { "the PIN is 1234" }
  }

  private enum Key: CodingKey { case user, pin }

  private struct Wrong: Encodable {
    func encode(to encoder: any Encoder) throws {
      var user = encoder.container(keyedBy: Key.self)
      let pin = user.superEncoder(forKey: .pin)
      var first = pin.singleValueContainer()
      try first.encode("1234")
      try first.encode("1234")
    }
  }

  private static let path: [any CodingKey] = [Key.user, Key.pin]

  @Test(
    "An app's error is described by types and the coding path, without its text or the value",
    arguments: [
      (
        EncodingError.invalidValue(
          "1234", EncodingError.Context(codingPath: path, debugDescription: "1234 is short")),
        #"String at "/user/pin""#
      ),
      (
        EncodingError.invalidValue(
          "1234",
          EncodingError.Context(
            codingPath: path, debugDescription: "1234", underlyingError: Leak())),
        #"String at "/user/pin": it threw Leak"#
      ),
      (
        DecodingError.typeMismatch(
          Int.self, DecodingError.Context(codingPath: path, debugDescription: "found 1234")),
        #"Int at "/user/pin" cannot be decoded"#
      ),
      (
        DecodingError.valueNotFound(
          Int.self, DecodingError.Context(codingPath: path, debugDescription: "1234")),
        #"Int at "/user/pin" cannot be decoded"#
      ),
      (
        DecodingError.keyNotFound(
          Key.pin, DecodingError.Context(codingPath: [Key.user], debugDescription: "1234")),
        #""/user/pin" is missing"#
      ),
      (
        DecodingError.dataCorrupted(
          DecodingError.Context(codingPath: path, debugDescription: "1234 is no PIN")),
        #"the value at "/user/pin" cannot be decoded"#
      ),
      (Leak(), "it threw Leak"),
    ] as [(any Error, String)])
  func reasons(_ error: any Error, _ expected: String) {
    #expect(EncodingFailure.reason(error) == expected)
  }

  @Test("An error of the encoder keeps its text")
  func misuse() throws {
    let error = #expect(throws: EncodingFailure.self) {
      try LogValue(Wrong()).state(of: "user")
    }
    #expect(
      error?.why == #"() at "/pin": a second value was encoded in place of the first"#)
  }
}
