/// Text in WTF-8: UTF-8 that can also hold lone surrogates, each as three bytes.
///
/// JSON can express a lone surrogate (`"\ud800"`), but UTF-8 and Swift's strings cannot. A log must
/// not lose it. "The WTF-8 encoding" by Simon Sapin defines the encoding. Two surrogates that form
/// a pair are always one scalar of four bytes. Equal texts therefore have equal bytes, and the
/// order of bytes is the order of code points.
enum WTF8 {
  static func bytes(of string: JSON) -> [UInt8] {
    string.document.withTape { $0.wtf8(string.place) }
  }

  /// Decodes the content between the quotes of a JSON string.
  static func bytes(of content: UnsafeRawBufferPointer, isEscaped: Bool) -> [UInt8] {
    guard isEscaped else { return unsafe [UInt8](content) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.count)
    for point in unsafe JSONString(content) { append(point, to: &bytes) }
    return bytes
  }

  /// Appends one code point, which may be a surrogate.
  static func append(_ point: UInt32, to bytes: inout [UInt8]) {
    func trail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | point >> shift & 0x3F) }
    switch point {
    case ..<0x80: bytes.append(UInt8(point))
    case ..<0x800:
      bytes.append(UInt8(0xC0 | point >> 6))
      bytes.append(trail(0))
    case ..<0x10000:
      bytes.append(UInt8(0xE0 | point >> 12))
      bytes.append(trail(6))
      bytes.append(trail(0))
    default:
      bytes.append(UInt8(0xF0 | point >> 18))
      bytes.append(trail(12))
      bytes.append(trail(6))
      bytes.append(trail(0))
    }
  }

  /// Returns the text as a Swift string, with U+FFFD for each lone surrogate.
  static func string(_ bytes: some Collection<UInt8>) -> String {
    let stretches = surrogateFreeStretches(of: Array(bytes))
    return stretches.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\u{FFFD}")
  }

  /// Appends the text as a JSON string, with an escape for each lone surrogate.
  static func appendJSON(_ bytes: [UInt8], to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    var offset = 0
    for stretch in surrogateFreeStretches(of: bytes) {
      if offset < stretch.startIndex { appendEscape(bytes[offset..<stretch.startIndex], to: &text) }
      unsafe stretch.withUnsafeBytes { stretch in
        unsafe JSONString.forEachStretch(of: stretch) { unsafe text.append(contentsOf: $0) }
      }
      offset = stretch.endIndex
    }
    text.append(UInt8(ascii: "\""))
  }

  static func json(_ bytes: [UInt8]) -> JSON {
    JSON(writing: { writer in writer.raw { appendJSON(bytes, to: &$0) } })
  }

  /// Returns the number of code points by counting the bytes that start one.
  static func count(_ bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
  }

  /// Returns `true` if the text contains a lone surrogate.
  static func hasSurrogates(_ bytes: [UInt8]) -> Bool {
    surrogateFreeStretches(of: bytes).count > 1
  }

  /// Splits the text at lone surrogates; the result has one stretch more than there are surrogates.
  private static func surrogateFreeStretches(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    guard bytes.contains(0xED) else { return [bytes[...]] }
    var stretches: [ArraySlice<UInt8>] = []
    var start = 0
    var offset = 0
    while offset + 2 < bytes.count {
      // U+D7FF is ED 9F BF, so a second byte of A0 or above means a surrogate.
      guard bytes[offset] == 0xED, bytes[offset + 1] >= 0xA0 else {
        offset += 1
        continue
      }
      stretches.append(bytes[start..<offset])
      offset += 3
      start = offset
    }
    stretches.append(bytes[start...])
    return stretches
  }

  private static func appendEscape(_ surrogate: ArraySlice<UInt8>, to text: inout [UInt8]) {
    let point = surrogate.reduce(0) { $0 << 6 | UInt32($1 & 0x3F) } & 0xFFFF
    text.append(contentsOf: "\\u\(String(point, radix: 16))".utf8)
  }
}
