/// A secret that a client shows to prove that it acts for the user.
package struct AccessToken: Sendable {
  /// The token as hexadecimal digits.
  package let text: String

  /// Draws a token from the system's random numbers.
  package init(byteCount: Int) {
    text = Hexadecimal.text((0..<byteCount).map { _ in UInt8.random(in: .min ... .max) }[...])
  }

  /// Takes a token that was drawn before.
  package init(_ text: String) { self.text = text }

  /// The token's bytes; nil if the text is not hexadecimal digits.
  package var bytes: [UInt8]? { Hexadecimal.bytes(Array(text.utf8)[...]) }

  /// Returns `true` if a client has shown this token.
  package func isSame(as shown: String) -> Bool {
    Self.isSame(Array(text.utf8)[...], Array(shown.utf8)[...])
  }

  /// Returns `true` if two secrets are equal.
  ///
  /// The time depends on the number of bytes alone, so it tells nothing about the secrets.
  package static func isSame(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    // Both operators have the same precedence in Swift.
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// Bytes as pairs of hexadecimal digits.
package enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  package static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: digits(of: bytes), as: UTF8.self)
  }

  /// Returns the digits of bytes, as ASCII.
  package static func digits(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  /// Reads digits of either case; nil if there is something else, or half a byte.
  package static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let digits = text.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
