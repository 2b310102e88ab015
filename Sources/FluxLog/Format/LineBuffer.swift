/// Lines of a log that are being written, one after the other.
///
/// The members go in as they are given; each line gets its sum and its newline. Of its own instead of a
/// ``JSONWriter``: the sum needs the bytes of the line so far, and a line is written for every action of an app.
struct LineBuffer {
  private(set) var bytes: [UInt8] = []
  /// The line that is being written.
  private let text = LineText()
  private var needsComma = false

  /// Forgets the lines, but keeps the memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Forgets the bytes from a place on.
  mutating func removeAll(from place: Int) { bytes.removeSubrange(place...) }

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

  /// Appends a line as it is, which brings its own sum where it has one.
  mutating func append(line: some Collection<UInt8>) {
    bytes.append(contentsOf: line)
    bytes.append(UInt8(ascii: "\n"))
  }

  // MARK: Members

  /// Appends a member that is an object; `body` writes its members.
  mutating func object(_ name: StaticString, _ body: (inout LineBuffer) -> Void) {
    begin(name)
    appendObject(body)
  }

  /// The same where the name is not known when the program is built.
  mutating func object(named name: String, _ body: (inout LineBuffer) -> Void) {
    begin(named: name)
    appendObject(body)
  }

  mutating func member(_ name: StaticString, _ value: String) {
    begin(name)
    append(value)
  }

  mutating func member(_ name: StaticString, _ value: UInt64) {
    begin(name)
    unsafe text.buffer.appendNumber(value)
  }

  mutating func member(_ name: StaticString, _ value: Bool) {
    begin(name)
    unsafe text.buffer.append(value ? "true" : "false")
  }

  /// Appends a value as it is written where it comes from, which must be without line breaks.
  mutating func member(_ name: StaticString, _ value: JSON) {
    begin(name)
    append(value)
  }

  /// The same where the name is not known when the program is built.
  mutating func member(named name: String, _ value: JSON) {
    begin(named: name)
    append(value)
  }

  /// Appends a value by its text.
  mutating func member(_ name: StaticString, text: [UInt8]) {
    begin(name)
    append(text)
  }

  /// The same where the name is not known when the program is built.
  mutating func member(named name: String, text: [UInt8]) {
    begin(named: name)
    append(text)
  }

  mutating func member(_ name: StaticString, _ values: [String]) {
    begin(name)
    unsafe text.buffer.append(UInt8(ascii: "["))
    for (place, value) in values.enumerated() {
      if place > 0 { unsafe text.buffer.append(UInt8(ascii: ",")) }
      append(value)
    }
    unsafe text.buffer.append(UInt8(ascii: "]"))
  }

  /// Appends a time as seconds with six decimals.
  mutating func member(_ name: StaticString, _ time: LogTime) {
    begin(name)
    unsafe text.buffer.appendNumber(time.microseconds / 1_000_000)
    unsafe text.buffer.appendDecimals(time.microseconds % 1_000_000)
  }

  // MARK: Names and values

  /// Appends a name, which needs no escapes.
  @inline(__always)
  private mutating func begin(_ name: StaticString) {
    unsafe text.buffer.append(needsComma ? ",\"" : "\"")
    unsafe text.buffer.append(name)
    unsafe text.buffer.append("\":")
    needsComma = true
  }

  @inline(__always)
  private mutating func begin(named name: String) {
    if needsComma { unsafe text.buffer.append(UInt8(ascii: ",")) }
    append(name)
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

  private func append(_ string: String) {
    var string = string
    string.withUTF8 { unsafe text.buffer.appendQuoted(UnsafeRawBufferPointer($0)) }
  }

  private func append(_ value: JSON) {
    unsafe value.withBytes { unsafe text.buffer.append($0) }
  }

  private func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe text.buffer.append($0) }
  }
}

/// The text of one line.
///
/// Not an array: that looks on every append whether it is shared, a third of what a line took. An object, because the
/// buffer cannot be copied and what holds it may be; it is only used while a line is written.
private final class LineText {
  @exclusivity(unchecked) var buffer = ByteBuffer()
}
