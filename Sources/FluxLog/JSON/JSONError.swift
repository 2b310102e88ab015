/// Says why a text is not JSON, and at which byte.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with the text.
  public enum Reason: Equatable, Sendable {
    /// The text has no value at all, only blanks or nothing.
    case empty
    /// The text ends inside a value.
    case unexpectedEnd
    /// A byte that cannot stand where it stands.
    case unexpectedByte(UInt8)
    /// Something follows the value.
    case trailingBytes
    /// A number that does not follow the grammar of RFC 8259, section 6.
    case invalidNumber
    /// A backslash that is not followed by one of the escapes of RFC 8259, section 7.
    case invalidEscape
    /// A control character in a string that is not written as an escape.
    case controlCharacter(UInt8)
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// More than ``JSON/maximumDepth`` arrays and objects inside each other.
    case tooDeep
    /// More than ``JSON/maximumByteCount`` bytes.
    case tooLong
  }

  /// The offset of the offending byte, counted from 0.
  public let byte: Int
  /// What is wrong there.
  public let reason: Reason

  /// Says what happened, where, and what was expected, in one sentence.
  public var message: String {
    switch reason {
    case .empty:
      "byte \(byte): there is no JSON value; expected one"
    case .unexpectedEnd:
      "byte \(byte): the text ends inside a JSON value; it was probably cut off"
    case .unexpectedByte(let found):
      "byte \(byte): unexpected \(Self.name(of: found)); a JSON value cannot go on like this"
    case .trailingBytes:
      "byte \(byte): something follows the JSON value; expected the end"
    case .invalidNumber:
      "byte \(byte): not a JSON number; expected digits, without leading zeros"
    case .invalidEscape:
      "byte \(byte): not a JSON escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000"
    case .controlCharacter(let found):
      "byte \(byte): \(Self.name(of: found)) in a string; it has to be written as an escape"
    case .invalidUTF8:
      "byte \(byte): not UTF-8"
    case .tooDeep:
      "byte \(byte): more than \(JSON.maximumDepth) arrays and objects inside each other"
    case .tooLong:
      "byte \(byte): the text is longer than \(JSON.maximumByteCount) bytes"
    }
  }

  /// The message.
  public var description: String { message }

  private static func name(of byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    let hex = String(repeating: "0", count: 2 - digits.utf8.count) + digits
    return (0x21...0x7E).contains(byte)
      ? "'\(Unicode.Scalar(byte))' (0x\(hex))" : "byte 0x\(hex)"
  }
}
