/// A writer that appends JSON text without whitespace to a growing buffer.
///
/// The writer inserts commas and colons. The caller must alternate names and values in objects, and
/// end every array and object.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.name("done")
/// writer.bool(true)
/// writer.endObject()
/// writer.bytes  // {"done":true}
/// ```
public struct JSONWriter: Sendable {
  /// The bytes in the buffer: everything written since the last ``takeBytes()``.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Creates a writer with an empty buffer.
  public init() {}

  /// Returns the bytes in the buffer and empties it, in the middle of a value.
  ///
  /// Use this for values that are too long to keep in memory.
  public mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll() }
    return bytes
  }

  /// Parses the bytes in the buffer.
  ///
  /// - Throws: ``JSONError`` if they are not one complete value, or if it is nested too deeply.
  public func json() throws(JSONError) -> JSON { try JSON.parse(bytes) }

  /// Begins an object.
  public mutating func beginObject() { begin(UInt8(ascii: "{")) }

  /// Ends the innermost open object.
  public mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Begins an array.
  public mutating func beginArray() { begin(UInt8(ascii: "[")) }

  /// Ends the innermost open array.
  public mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes a member's name; its value must be written next.
  public mutating func name(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a member's name with its quotes and escapes, without validating it.
  package mutating func name(verbatim text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a string.
  public mutating func string(_ string: String) {
    separate()
    var string = string
    string.withUTF8 { unsafe bytes.appendJSONString(UnsafeRawBufferPointer($0)) }
  }

  /// Writes a number with its original text.
  public mutating func number(_ number: JSONNumber) {
    separate()
    bytes.append(contentsOf: number.text.utf8)
  }

  /// Writes a signed integer.
  public mutating func int(_ value: Int64) {
    separate()
    bytes.appendDecimal(value.magnitude, isNegative: value < 0)
  }

  /// Writes a signed integer.
  public mutating func int(_ value: Int) { int(Int64(value)) }

  /// Writes an unsigned integer.
  public mutating func uint(_ value: UInt64) {
    separate()
    bytes.appendDecimal(value)
  }

  /// Writes the shortest number that reads back as the same `Double`.
  ///
  /// JSON has no infinite numbers and no NaN. The writer writes them as the strings `"NaN"`,
  /// `"Infinity"` and `"-Infinity"`.
  public mutating func double(_ value: Double) {
    separate()
    bytes.append(contentsOf: value.jsonText.utf8)
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) {
    separate()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Writes `null`.
  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Writes a value with its original text.
  public mutating func raw(_ value: JSON) {
    separate()
    unsafe value.withBytes { unsafe bytes.append(contentsOf: $0) }
  }

  /// Writes the text of a value without validating it.
  public mutating func raw(_ text: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: text)
  }

  /// Writes a value that `body` appends, without validating it.
  mutating func raw(_ body: (inout [UInt8]) -> Void) {
    separate()
    body(&bytes)
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  /// Writes a string member, or nothing if `string` is nil.
  package mutating func member(_ name: String, _ string: String?) {
    guard let string else { return }
    self.name(name)
    self.string(string)
  }

  /// Writes a number member, or nothing if `number` is nil.
  package mutating func member(_ name: String, _ number: UInt64?) {
    guard let number else { return }
    self.name(name)
    uint(number)
  }

  /// Writes a member, or nothing if `json` is nil.
  package mutating func member(_ name: String, _ json: JSON?) {
    guard let json else { return }
    self.name(name)
    raw(json)
  }

  /// Writes an array of strings.
  package mutating func strings(_ strings: some Sequence<String>) {
    beginArray()
    for string in strings { self.string(string) }
    endArray()
  }
}

extension [UInt8] {
  /// Appends a quoted string and escapes quotes, backslashes and control characters.
  package mutating func appendJSONString(_ content: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    unsafe JSONString.forEachStretch(of: content) { unsafe append(contentsOf: $0) }
    append(UInt8(ascii: "\""))
  }

  package mutating func appendDecimal(_ magnitude: UInt64, isNegative: Bool = false) {
    if isNegative { append(UInt8(ascii: "-")) }
    var digits = magnitude.description
    digits.withUTF8 { unsafe append(contentsOf: $0) }
  }
}

// Literals are written as text and then parsed. They are rare in code, and a second representation
// would cost every read a branch. Parsing a literal fails only if it nests too deeply.
extension JSON {
  /// Creates a value from the text that `write` produces.
  ///
  /// - Precondition: The text is one complete value, nested at most ``JSON/maximumDepth`` levels
  ///   deep.
  package init(writing write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    write(&writer)
    do {
      self = try writer.json()
    } catch {
      preconditionFailure("the literal is not a JSON value: \(error)")
    }
  }

  package init(array elements: [JSON]) {
    self.init(writing: { writer in
      writer.beginArray()
      for element in elements { writer.raw(element) }
      writer.endArray()
    })
  }

  /// Creates an object with its members in the order of the array.
  package init(object members: [(name: String, value: JSON)]) {
    self.init(writing: { writer in
      writer.beginObject()
      for member in members { writer.member(member.name, member.value) }
      writer.endObject()
    })
  }
}
