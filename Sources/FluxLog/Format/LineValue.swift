import FluxJSON

/// A value that lines have as a member, read by ``LineMembers`` and written by ``LineBuffer``.
protocol LineValue {
  /// The type in messages, such as `a string`.
  static var lineType: String { get }

  /// Returns a value; `nil` if it has another type.
  static func read(_ value: JSON) -> Self?

  func write(to line: inout ByteBuffer)
}

extension String: LineValue {
  static var lineType: String { "a string" }
  static func read(_ value: JSON) -> String? { value.string }

  @inline(__always)
  func write(to line: inout ByteBuffer) {
    var string = self
    string.withUTF8 { unsafe line.appendQuoted(UnsafeRawBufferPointer($0)) }
  }
}

extension UInt64: LineValue {
  static var lineType: String { "a whole number from 0 to 2^63 - 1" }
  /// Reads a number that is small enough to count up from without overflow.
  static func read(_ value: JSON) -> UInt64? { value.number?.int64.flatMap(UInt64.init(exactly:)) }
  @inline(__always)
  func write(to line: inout ByteBuffer) { line.appendNumber(self) }
}

extension Bool: LineValue {
  static var lineType: String { "true or false" }
  static func read(_ value: JSON) -> Bool? { value.bool }
  func write(to line: inout ByteBuffer) { line.append(self ? "true" : "false") }
}

extension [String]: LineValue {
  static var lineType: String { "an array of strings" }
  static func read(_ value: JSON) -> [String]? {
    guard value.kind == .array else { return nil }
    let strings = value.elements.compactMap(\.string)
    return strings.count == value.count ? strings : nil
  }

  func write(to line: inout ByteBuffer) {
    line.append(UInt8(ascii: "["))
    for (index, value) in enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      value.write(to: &line)
    }
    line.append(UInt8(ascii: "]"))
  }
}

extension JSON: LineValue {
  static var lineType: String { "an object" }
  // A bare `nil` would be the JSON value null.
  static func read(_ value: JSON) -> JSON? { value.kind == .object ? value : JSON?.none }
  /// Writes any value with its original text, which must not contain line breaks.
  @inline(__always)
  func write(to line: inout ByteBuffer) { unsafe withBytes { unsafe line.append($0) } }

  /// The value in a form that a line can have: without blanks and with sorted members if its text contains line breaks.
  var onOneLine: JSON { hasLineBreaks ? canonical() : self }

  var hasLineBreaks: Bool {
    unsafe withBytes { bytes in unsafe bytes.contains(0x0A) || bytes.contains(0x0D) }
  }
}

extension LogTime: LineValue {
  static var lineType: String { "a number of seconds from 0 to 18446744073709" }
  static func read(_ value: JSON) -> LogTime? {
    value.kind == .number ? LogTime(seconds: value.text) : nil
  }

  /// Writes seconds with six decimals.
  @inline(__always)
  func write(to line: inout ByteBuffer) {
    line.appendNumber(microseconds / 1_000_000)
    line.appendDecimals(microseconds % 1_000_000)
  }
}
