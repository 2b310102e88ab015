/// An error in a JSON text, with its reason and position.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The reason why a text cannot be parsed.
  public enum Reason: Equatable, Sendable {
    /// The text is empty or contains only whitespace.
    case empty
    /// The text ends inside a value.
    case unexpectedEnd
    /// A byte that is not allowed at its position.
    case unexpectedByte(UInt8)
    /// There is more text after the value.
    case trailingBytes
    /// A number that does not match the grammar of RFC 8259, section 6.
    case invalidNumber
    /// A backslash that does not begin one of the escapes of RFC 8259, section 7.
    case invalidEscape
    /// An unescaped control character in a string.
    case controlCharacter(UInt8)
    /// Bytes that are not valid UTF-8.
    case invalidUTF8
    /// Arrays and objects nested more than ``JSON/maximumDepth`` levels deep.
    case tooDeep
    /// A text of more than ``JSON/maximumByteCount`` bytes.
    case tooLong
  }

  /// The zero-based byte offset of the error.
  public let byte: Int
  /// The reason for the error.
  public let reason: Reason

  package init(byte: Int, reason: Reason) {
    self.byte = byte
    self.reason = reason
  }

  /// A one-line description of the problem and its position, usually with what was expected.
  public var message: String { "byte \(byte): \(problem)" }

  /// The problem without its position.
  package var problem: String {
    switch reason {
    case .empty:
      "there is no JSON value; expected one"
    case .unexpectedEnd:
      "the text ends inside a JSON value; it was probably cut off"
    case .unexpectedByte(let found):
      "unexpected \(Self.name(of: found)); not allowed at this place in a JSON value"
    case .trailingBytes:
      "unexpected text after the JSON value"
    case .invalidNumber:
      "not a JSON number; expected digits, without leading zeros"
    case .invalidEscape:
      "not a JSON escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000"
    case .controlCharacter(let found):
      "\(Self.name(of: found)) in a string; write it as an escape"
    case .invalidUTF8:
      "not UTF-8"
    case .tooDeep:
      "more than \(JSON.maximumDepth) arrays and objects inside each other"
    case .tooLong:
      "the text is longer than \(JSON.maximumByteCount) bytes"
    }
  }

  /// The same text as ``message``.
  public var description: String { message }

  private static func name(of byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    let hex = String(repeating: "0", count: 2 - digits.utf8.count) + digits
    return (0x21...0x7E).contains(byte)
      ? "'\(Unicode.Scalar(byte))' (0x\(hex))" : "byte 0x\(hex)"
  }
}
