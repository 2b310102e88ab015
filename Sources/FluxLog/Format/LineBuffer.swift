import FluxJSON

/// A buffer of lines that are being written to a log.
///
/// Writes members in the order of the calls, and adds the sum and the newline to each line. This is
/// not a `JSONWriter` because the sum needs the bytes of the line so far, and every action of an
/// app writes a line.
struct LineBuffer {
  private(set) var bytes: [UInt8] = []
  private let text = LineText()
  private var needsComma = false

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Returns the lines that `body` writes.
  static func lines(_ body: (inout LineBuffer) -> Void) -> [UInt8] {
    var lines = LineBuffer()
    body(&lines)
    return lines.bytes
  }

  /// Appends one line; `body` writes its members.
  @inline(__always)
  mutating func line(_ body: (inout LineBuffer) -> Void) {
    unsafe text.buffer.truncate(to: 0)
    unsafe text.buffer.append(UInt8(ascii: "{"))
    needsComma = false
    body(&self)
    unsafe LineSum.finish(&text.buffer)
    unsafe text.buffer.withBytes(0..<text.buffer.count) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Appends a finished line without its newline; nothing is added, not even a sum.
  mutating func append(line: some Collection<UInt8>) {
    bytes.append(contentsOf: line)
    bytes.append(UInt8(ascii: "\n"))
  }

  // MARK: Members

  mutating func object(_ name: LiteralName, _ body: (inout LineBuffer) -> Void) {
    begin(name)
    appendObject(body)
  }

  mutating func object(named name: String, _ body: (inout LineBuffer) -> Void) {
    begin(named: name)
    appendObject(body)
  }

  @inline(__always)
  mutating func member(_ name: LiteralName, _ value: some LineValue) {
    begin(name)
    unsafe value.write(to: &text.buffer)
  }

  /// Appends a member unless the value is `nil`.
  @inline(__always)
  mutating func member(_ name: LiteralName, ifPresent value: (some LineValue)?) {
    if let value { member(name, value) }
  }

  /// Appends a list of strings unless it is empty.
  @inline(__always)
  mutating func member(_ name: LiteralName, unlessEmpty values: [String]) {
    if !values.isEmpty { member(name, values) }
  }

  mutating func member(named name: String, _ value: some LineValue) {
    begin(named: name)
    unsafe value.write(to: &text.buffer)
  }

  /// Appends a value by its text, which must not contain line breaks.
  mutating func member(_ name: LiteralName, text: [UInt8]) {
    begin(name)
    append(text)
  }

  mutating func member(named name: String, text: [UInt8]) {
    begin(named: name)
    append(text)
  }

  // MARK: Names and values

  /// Appends a name that needs no escapes.
  @inline(__always)
  private mutating func begin(_ name: LiteralName) {
    unsafe text.buffer.append(needsComma ? ",\"" : "\"")
    unsafe text.buffer.append(name.literal)
    unsafe text.buffer.append("\":")
    needsComma = true
  }

  @inline(__always)
  private mutating func begin(named name: String) {
    if needsComma { unsafe text.buffer.append(UInt8(ascii: ",")) }
    unsafe name.write(to: &text.buffer)
    unsafe text.buffer.append(UInt8(ascii: ":"))
    needsComma = true
  }

  @inline(__always)
  private mutating func appendObject(_ body: (inout LineBuffer) -> Void) {
    unsafe text.buffer.append(UInt8(ascii: "{"))
    needsComma = false
    body(&self)
    unsafe text.buffer.append(UInt8(ascii: "}"))
    needsComma = true
  }

  private func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe text.buffer.append($0) }
  }
}

/// The text of one line.
///
/// Not an array, because an array checks on every append whether it is shared, which took a third
/// of the time of a line. A class, because the buffer is noncopyable and `LineBuffer` is copyable.
/// Only used while a line is being written.
private final class LineText {
  @exclusivity(unchecked) var buffer = ByteBuffer()
}
