/// One JSON value: a cheap handle into a parsed, immutable text that it keeps alive.
///
/// A value knows the text that it was read from, to the byte: numbers keep their digits, strings
/// their escapes, objects the order of their members. Two values are equal when they mean the
/// same; see ``==(_:_:)``.
///
/// ```swift
/// let todo = try JSON.parse(#"{"id":1,"done":false}"#)
/// todo["id"]?.number?.int64  // 1
/// ```
public struct JSON: Sendable {
  /// The six kinds of value of RFC 8259, section 3.
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

  /// How many arrays and objects a text may hold inside each other; a scalar alone has 0.
  ///
  /// The limit of docs/log-format.md, "Accepted input".
  public static let maximumDepth = 512

  /// The longest text that can be parsed: 4 GiB less one byte, as places are kept in 32 bits.
  public static let maximumByteCount = Int(UInt32.max)

  let document: JSONDocument
  /// The place on the tape.
  let place: Int

  init(document: JSONDocument, place: Int) {
    self.document = document
    self.place = place
  }

  /// Parses a text that holds one value and nothing else.
  ///
  /// - Throws: ``JSONError`` where the text is not JSON (RFC 8259), or is nested too deep.
  public static func parse(_ text: String) throws(JSONError) -> JSON {
    try parse(Array(text.utf8))
  }

  /// Parses a text in UTF-8 that holds one value and nothing else.
  ///
  /// - Throws: ``JSONError`` where the text is not JSON (RFC 8259), or is nested too deep.
  public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSON {
    JSON(document: try JSONDocument(parsing: bytes), place: 0)
  }

  // MARK: What it is

  var node: JSONNode { document.withTape { $0[place] } }

  /// The kind of the value.
  public var kind: Kind { node.kind }

  /// Tells whether the value is `null`.
  public var isNull: Bool { kind == .null }

  /// The value of `true` and `false`, nil for other kinds.
  public var bool: Bool? {
    let node = node
    // The two words differ in length.
    return node.kind == .bool ? node.end - node.start == 4 : nil
  }

  /// The number, nil for other kinds.
  public var number: JSONNumber? {
    kind == .number ? JSONNumber(checked: text) : nil
  }

  /// The string with its escapes resolved, nil for other kinds.
  ///
  /// A lone surrogate, which a Swift string cannot hold, is given as U+FFFD; ``text`` and
  /// equality keep it apart.
  public var string: String? {
    document.withTape { tape in
      let node = tape[place]
      guard node.kind == .string else { return nil }
      let escaped = node.has(JSONNode.escaped)
      return unsafe JSONString.decoded(tape.content(place), escaped: escaped)
    }
  }

  /// Tells whether an object anywhere in this value names a member twice.
  public var hasDuplicateNames: Bool { node.has(JSONNode.holdsRepeat) }

  // MARK: Its text

  /// Exactly the text that the value was parsed from, without blanks around it.
  public var text: String {
    unsafe withBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes of ``text``, without a copy; they are valid until it returns.
  func withBytes<R, E>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try document.withTape { (tape) throws(E) -> R in try unsafe body(tape.span(place)) }
  }
}
