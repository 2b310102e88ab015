/// Writes JSON text into a growing buffer, without blanks.
///
/// Commas and colons are put where they belong; that names and values take turns, and that what
/// is begun is ended, is for the caller to see to.
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
  /// What has been written so far.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Creates a writer that has written nothing.
  public init() {}

  /// Forgets what was written.
  ///
  /// - Parameter keepingCapacity: Whether the memory is kept for what comes next.
  public mutating func removeAll(keepingCapacity: Bool = false) {
    bytes.removeAll(keepingCapacity: keepingCapacity)
    needsComma = false
  }

  /// Hands over what was written so far, to go on with the same value.
  ///
  /// For values that are too long to be held at once.
  public mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll() }
    return bytes
  }

  /// Parses what was written.
  ///
  /// - Throws: ``JSONError`` where that is not one whole value, or is nested too deep.
  public func json() throws(JSONError) -> JSON { try JSON.parse(bytes) }

  /// Begins an object.
  public mutating func beginObject() { begin(UInt8(ascii: "{")) }

  /// Ends the object that was begun last.
  public mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Begins an array.
  public mutating func beginArray() { begin(UInt8(ascii: "[")) }

  /// Ends the array that was begun last.
  public mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes the name of the member whose value is written next.
  public mutating func name(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a string.
  public mutating func string(_ string: String) {
    separate()
    var string = string
    string.withUTF8 { unsafe bytes.appendJSONString(UnsafeRawBufferPointer($0)) }
  }

  /// Writes a number, as it is written there.
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
  /// JSON has no numbers that are not finite: those are written as the strings `"NaN"`,
  /// `"Infinity"` and `"-Infinity"`.
  public mutating func double(_ value: Double) {
    guard value.isFinite else {
      return string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
    }
    separate()
    let text = value.description
    bytes.append(contentsOf: text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...])
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

  /// Writes a value exactly as it is written where it comes from.
  public mutating func raw(_ value: JSON) {
    separate()
    unsafe value.withBytes { unsafe bytes.append(contentsOf: $0) }
  }

  /// Writes the text of a value, which is not checked.
  public mutating func raw(_ text: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: text)
  }

  /// Writes a value by what `body` appends, which is not checked.
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
}
