/// A secret that a client shows to prove that it acts for the user.
package struct AccessToken: Sendable {
  /// The token as hexadecimal digits.
  package let text: String

  /// Draws a token from the system's random numbers.
  package init(byteCount: Int) {
    text = (0..<byteCount).map { _ in
      let digits = String(UInt8.random(in: .min ... .max), radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  /// Takes a token that was drawn before.
  package init(_ text: String) { self.text = text }

  /// Returns `true` if a client has shown this token.
  ///
  /// The time depends on the number of bytes alone, so it tells nothing about the token.
  package func isSame(as shown: String) -> Bool {
    guard shown.utf8.count == text.utf8.count else { return false }
    // Both operators have the same precedence in Swift.
    return zip(shown.utf8, text.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
