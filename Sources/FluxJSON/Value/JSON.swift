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

    /// The kind as a noun in a sentence.
    package var described: String {
      switch self {
      case .null: "null"
      case .bool: "true or false"
      case .number: "a number"
      case .string: "a string"
      case .array: "an array"
      case .object: "an object"
      }
    }
  }

  /// The maximum nesting depth of arrays and objects; a scalar alone has depth 0.
  ///
  /// docs/log-format.md defines this limit under "Accepted input".
  public static let maximumDepth = 512

  /// The maximum length of a text in bytes: 4 GiB minus one byte, because offsets have 32 bits.
  ///
  /// On watches whose `Int` has 32 bits, it is 2 GiB minus two bytes, so one more is still an `Int`.
  public static let maximumByteCount = min(Int(clamping: UInt32.max), Int.max - 1)

  @usableFromInline package let document: JSONDocument
  @usableFromInline package let place: Int

  @inlinable
  package init(document: JSONDocument, place: Int) {
    self.document = document
    self.place = place
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
      tape[place].kind == .string ? tape.string(place) : nil
    }
  }

  /// `true` if any object in this value repeats a name.
  public var hasDuplicateNames: Bool { node.has(JSONNode.holdsRepeat) }

  /// `true` if this object itself repeats a name.
  package var repeatsName: Bool { kind == .object && node.has(JSONNode.repeatsName) }

  // MARK: Text

  /// The exact text the value was parsed from, without surrounding whitespace.
  public var text: String {
    unsafe withBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }

  @inlinable
  /// Calls `body` with the bytes of ``text``, without copying them.
  package func withBytes<R, E>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try document.withTape { (tape) throws(E) -> R in try unsafe body(tape.span(place)) }
  }

  package var byteCount: Int {
    let node = node
    return Int(node.end - node.start)
  }

  /// The number of nested arrays and objects, including this one; 0 for a scalar.
  package var depth: Int { document.withTape { $0.depth(of: place) } }

  package var nodeCount: Int { Int(node.next) - place }
}

// `nil` is not a literal for `null`: `condition ? value : nil` would mean `null` instead of no
// value.
extension JSON {
  /// The literal `null`.
  public static let null = JSON(writing: { $0.null() })
}

extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a Boolean value.
  public init(booleanLiteral value: Bool) { self.init { $0.bool(value) } }

  /// Creates an integer.
  public init(integerLiteral value: Int64) { self.init { $0.int(value) } }

  /// Creates a number.
  public init(floatLiteral value: Double) { self.init { $0.double(value) } }

  /// Creates a string.
  public init(stringLiteral value: String) { self.init { $0.string(value) } }

  /// Creates an array.
  ///
  /// - Precondition: It is nested at most ``JSON/maximumDepth`` levels deep.
  public init(arrayLiteral elements: JSON...) { self.init(array: elements) }

  /// Creates an object with its members in the order of the literal.
  ///
  /// - Precondition: It is nested at most ``JSON/maximumDepth`` levels deep.
  public init(dictionaryLiteral members: (String, JSON)...) {
    self.init(object: members.map { (name: $0, value: $1) })
  }
}
