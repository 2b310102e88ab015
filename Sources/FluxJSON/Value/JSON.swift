/// A JSON value: a cheap handle to a parsed, immutable text that it keeps alive.
///
/// A value preserves the bytes it was parsed from: the digits of numbers, the escapes in strings
/// and the order of object members. Two values are equal if they mean the same; see ``==(_:_:)``.
///
/// ```swift
/// let todo = try JSON.parse(#"{"id":1,"done":false}"#)
/// todo["id"]?.number?.int64  // 1
/// ```
public struct JSON: Sendable {
  /// The six kinds of JSON value (RFC 8259, section 3).
  public enum Kind: UInt8, Sendable {
    /// The literal `null`.
    case null
    /// The literals `true` and `false`.
    case bool
    /// A number.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object
  }

  /// The maximum nesting depth of arrays and objects; a scalar alone has depth 0.
  ///
  /// docs/log-format.md defines this limit under "Accepted input".
  public static let maximumDepth = 512

  /// The maximum length of a text in bytes: 4 GiB minus one byte, because offsets have 32 bits.
  public static let maximumByteCount = Int(UInt32.max)

  @usableFromInline package let document: JSONDocument
  /// The index of the value's node on the tape.
  @usableFromInline package let place: Int

  @inlinable
  package init(document: JSONDocument, place: Int) {
    self.document = document
    self.place = place
  }

  /// Parses a text that contains exactly one value.
  ///
  /// - Throws: ``JSONError`` if the text is not JSON (RFC 8259), is too long or is nested too
  ///   deeply.
  public static func parse(_ text: String) throws(JSONError) -> JSON {
    try parse(Array(text.utf8))
  }

  /// Parses a UTF-8 text that contains exactly one value.
  ///
  /// - Throws: ``JSONError`` if the text is not JSON (RFC 8259), is too long or is nested too
  ///   deeply.
  public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSON {
    JSON(document: try JSONDocument(parsing: bytes), place: 0)
  }

  // MARK: Kind and scalars

  @inlinable
  package var node: JSONNode { document.withTape { $0[place] } }

  /// The kind of the value.
  public var kind: Kind { node.kind }

  /// `true` if the value is `null`.
  public var isNull: Bool { kind == .null }

  /// The Boolean value; nil for other kinds.
  public var bool: Bool? {
    let node = node
    // `true` and `false` differ in length.
    return node.kind == .bool ? node.end - node.start == 4 : nil
  }

  /// The number; nil for other kinds.
  public var number: JSONNumber? {
    kind == .number ? JSONNumber(checked: text) : nil
  }

  /// The string with its escapes resolved; nil for other kinds.
  ///
  /// A Swift string cannot hold a lone surrogate, so it becomes U+FFFD. ``text`` and equality
  /// preserve it.
  public var string: String? {
    document.withTape { tape in
      let node = tape[place]
      guard node.kind == .string else { return nil }
      let escaped = node.has(JSONNode.escaped)
      return unsafe JSONString.decoded(tape.content(place), escaped: escaped)
    }
  }

  /// `true` if any object in this value repeats a name.
  public var hasDuplicateNames: Bool { node.has(JSONNode.holdsRepeat) }

  // MARK: Text

  /// The exact text the value was parsed from, without surrounding whitespace.
  public var text: String {
    unsafe withBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }

  @inlinable
  /// Calls `body` with the bytes of ``text``, without copying them.
  ///
  /// The bytes are valid until `body` returns.
  package func withBytes<R, E>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try document.withTape { (tape) throws(E) -> R in try unsafe body(tape.span(place)) }
  }
}
