/// Reads the reference tokens of a pointer one after the other, without a copy.
///
/// A view: it is valid as long as the bytes that it was made of.
struct PointerTokens {
  private let bytes: JSONBytes
  private var start = 0

  /// Begins at the first token of bytes in which `Pointer.fault` found none.
  init(_ bytes: JSONBytes) {
    self.bytes = bytes
  }

  /// Whether there is no further token.
  var isAtEnd: Bool { start >= bytes.count }

  /// The text of the pointer up to the tokens that are still to be read.
  var readSoFar: [UInt8] { unsafe [UInt8](bytes.slice(0, min(start, bytes.count))) }

  mutating func next() -> PointerToken? {
    guard start < bytes.count else { return nil }
    var end = start + 1
    var isEscaped = false
    while end < bytes.count, bytes[end] != UInt8(ascii: "/") {
      if bytes[end] == UInt8(ascii: "~") { isEscaped = true }
      end += 1
    }
    defer { start = end }
    return PointerToken(bytes: bytes, start: start + 1, end: end, isEscaped: isEscaped)
  }
}

/// One reference token: the name of a member, or the index of an element.
///
/// A view: it is valid as long as the bytes of its pointer.
struct PointerToken {
  private let bytes: JSONBytes
  private let start: Int
  private let end: Int
  /// The bytes without escapes, where there were escapes.
  private let unescaped: [UInt8]?

  fileprivate init(bytes: JSONBytes, start: Int, end: Int, isEscaped: Bool) {
    self.bytes = bytes
    self.start = start
    self.end = end
    unescaped =
      isEscaped ? PointerToken.unescaped(unsafe [UInt8](bytes.slice(start, end))) : nil
  }

  private static func unescaped(_ token: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var follows = false
    for byte in token {
      if follows {
        result.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
      } else if byte != UInt8(ascii: "~") {
        result.append(byte)
      }
      follows = !follows && byte == UInt8(ascii: "~")
    }
    return result
  }

  /// Calls `body` with the bytes of the token in WTF-8, escapes resolved.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard let unescaped else { return unsafe body(bytes.slice(start, end)) }
    return unsafe unescaped.withUnsafeBytes { unsafe body($0) }
  }

  /// The token as Swift holds text.
  var string: String { unsafe withBytes { unsafe WTF8.string($0) } }

  /// The token as an index of an array; nil where it is none.
  var index: ArrayIndex? { unsafe withBytes { unsafe ArrayIndex($0) } }

  /// Whether it stands for the place after an array's last element.
  var isEnd: Bool { end - start == 1 && bytes[start] == UInt8(ascii: "-") }

  /// Compares it with a member's name by code points: negative, zero or positive, as the token
  /// is before, equal to or after the name.
  func order(_ name: Int, on tape: JSONTape) -> Int {
    unsafe withBytes { token in
      guard tape[name].has(JSONNode.escaped) else { return unsafe token.order(tape.content(name)) }
      return unsafe WTF8.bytes(of: tape.content(name), isEscaped: true).withUnsafeBytes {
        unsafe token.order($0)
      }
    }
  }
}
