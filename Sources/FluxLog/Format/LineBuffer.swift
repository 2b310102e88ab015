/// Lines of a log that are being written, one after the other.
///
/// The members go in as they are given; each line gets its sum and its newline. An array of its
/// own instead of a ``JSONWriter``: the sum needs the bytes of the line so far, and a line is
/// written for every action of an app.
struct LineBuffer {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Forgets the lines, but keeps the memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Forgets the bytes from a place on.
  mutating func removeAll(from place: Int) { bytes.removeSubrange(place...) }

  /// Appends one line; `body` writes its members.
  @inline(__always)
  mutating func line(_ body: (inout LineBuffer) -> Void) {
    let start = bytes.count
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    body(&self)
    LineSum.finish(&bytes, from: start)
  }

  /// Appends a line as it is, which brings its own sum where it has one.
  mutating func append(line: some Collection<UInt8>) {
    bytes.append(contentsOf: line)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends a member that is an object; `body` writes its members.
  mutating func object(_ name: String, _ body: (inout LineBuffer) -> Void) {
    self.name(name)
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    body(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  mutating func member(_ name: String, _ value: String) {
    self.name(name)
    append(value)
  }

  mutating func member(_ name: String, _ value: UInt64) {
    self.name(name)
    bytes.appendDecimal(value)
  }

  mutating func member(_ name: String, _ value: Bool) {
    self.name(name)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Appends a value as it is written where it comes from, which must be without line breaks.
  mutating func member(_ name: String, _ value: JSON) {
    self.name(name)
    unsafe value.withBytes { unsafe bytes.append(contentsOf: $0) }
  }

  /// Appends a value by its text.
  mutating func member(_ name: String, text: [UInt8]) {
    self.name(name)
    bytes.append(contentsOf: text)
  }

  mutating func member(_ name: String, _ values: [String]) {
    self.name(name)
    bytes.append(UInt8(ascii: "["))
    for (place, value) in values.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      append(value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends a time as seconds with six decimals.
  mutating func member(_ name: String, _ time: LogTime) {
    self.name(name)
    bytes.appendDecimal(time.microseconds / 1_000_000)
    // The first digit is a one that stands where the point belongs: it keeps the zeros.
    let point = bytes.count
    bytes.appendDecimal(1_000_000 + time.microseconds % 1_000_000)
    bytes[point] = UInt8(ascii: ".")
  }

  private mutating func name(_ name: String) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    append(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = true
  }

  private mutating func append(_ string: String) {
    var string = string
    string.withUTF8 { unsafe bytes.appendJSONString(UnsafeRawBufferPointer($0)) }
  }
}
