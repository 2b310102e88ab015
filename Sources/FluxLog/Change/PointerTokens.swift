/// Reads the reference tokens of a pointer one after the other, without a copy.
///
/// A view: it is valid as long as the bytes that it was made of.
struct PointerTokens {
  private let bytes: JSONBytes
  private let origin: Int
  private var start: Int
  private let end: Int
  /// Whether a token may have escapes.
  let hasEscapes: Bool

  /// Begins at the first token of bytes in which `Pointer.fault` finds none.
  init(_ bytes: JSONBytes) {
    self.init(bytes, in: 0..<bytes.count)
  }

  /// The same for a pointer in the midst of a text; what follows makes reading it cheaper.
  init(_ bytes: JSONBytes, in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.bytes = bytes
    origin = range.lowerBound
    start = range.lowerBound
    end = range.upperBound
    hasEscapes = bytes.distance(to: UInt8(ascii: "~"), from: start, limit: end) < range.count
  }

  /// What keeps the bytes from being a pointer.
  var fault: PointerError.Reason? {
    // Without a tilde only the first byte can be wrong.
    let isPlain = origin == end || bytes[origin] == UInt8(ascii: "/")
    guard hasEscapes || !isPlain else { return nil }
    return unsafe Pointer.fault(in: bytes.slice(origin, end))
  }

  /// Whether there is no further token.
  var isAtEnd: Bool { start >= end }

  /// Where the next token's slash stands in the bytes.
  var position: Int { start }

  /// The text of the pointer up to the tokens that are still to be read.
  var readSoFar: [UInt8] { unsafe [UInt8](bytes.slice(origin, min(start, end))) }

  @inline(__always)
  mutating func next() -> PointerToken? {
    guard start < end else { return nil }
    let first = start &+ 1
    start = first &+ bytes.distance(to: UInt8(ascii: "/"), from: first, limit: end)
    return PointerToken(bytes: bytes, start: first, end: start, isEscaped: hasEscapes)
  }
}

/// One reference token: the name of a member, or the index of an element.
///
/// A view: it is valid as long as the bytes of its pointer.
struct PointerToken {
  private let bytes: JSONBytes
  private let start: Int
  private let end: Int
  /// Whether there may be escapes in it.
  private let isEscaped: Bool

  fileprivate init(bytes: JSONBytes, start: Int, end: Int, isEscaped: Bool) {
    self.bytes = bytes
    self.start = start
    self.end = end
    self.isEscaped = isEscaped
  }

  private var unescaped: [UInt8] {
    var result: [UInt8] = []
    var follows = false
    for byte in unsafe [UInt8](bytes.slice(start, end)) {
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
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard isEscaped else { return unsafe body(bytes.slice(start, end)) }
    return unsafe unescaped.withUnsafeBytes { unsafe body($0) }
  }

  /// The token as Swift holds text.
  var string: String { unsafe withBytes { unsafe WTF8.string($0) } }

  /// The token as an index of an array; nil where it is none.
  var index: ArrayIndex? { unsafe withBytes { unsafe ArrayIndex($0) } }

  /// Whether it stands for the place after an array's last element.
  var isEnd: Bool { end - start == 1 && bytes[start] == UInt8(ascii: "-") }

  /// The first eight bytes of the token, as `JSONBytes` gives them: not those of one with escapes.
  var prefix: UInt64 {
    let last = bytes.count &- 8
    guard start > last, last >= 0 else { return bytes.prefix(start, end) }
    // Mostly the last token of a pointer: eight bytes from the token on there are not.
    let word = bytes.word(at: last).byteSwapped &<< UInt64(truncatingIfNeeded: (start &- last) &* 8)
    return word & ~(UInt64.max &>> UInt64(truncatingIfNeeded: (end &- start) &* 8))
  }

  /// Whether it is a member's name; `prefix` is the token's own.
  @inline(__always)
  func equals(_ name: Int, on tape: JSONTape, prefix: UInt64) -> Bool {
    let node = tape[name]
    guard !isEscaped, !node.has(JSONNode.escaped) else { return slowOrder(name, on: tape) == 0 }
    // Most names that it is not differ in their length, which is told without looking at them.
    let count = end &- start
    guard Int(node.end &- node.start) &- 2 == count else { return false }
    guard count > 8 else {
      return tape.bytes.prefix(Int(node.start) &+ 1, Int(node.end) &- 1) == prefix
    }
    return unsafe bytes.slice(start, end).equals(tape.content(name))
  }

  /// Compares it with a member's name by code points: negative, zero or positive, as the token
  /// is before, equal to or after the name.
  ///
  /// `prefix` is the token's own, for those who compare it with many names.
  @inline(__always)
  func order(_ name: Int, on tape: JSONTape, prefix left: UInt64) -> Int {
    guard !isEscaped, !tape[name].has(JSONNode.escaped) else { return slowOrder(name, on: tape) }
    // Where the first eight bytes differ they tell the order.
    let node = tape[name]
    let (nameStart, nameEnd) = (Int(node.start) &+ 1, Int(node.end) &- 1)
    let right = tape.bytes.prefix(nameStart, nameEnd)
    if left != right { return left < right ? -1 : 1 }
    if end &- start <= 8, nameEnd &- nameStart <= 8 {
      return (end &- start) &- (nameEnd &- nameStart)
    }
    return unsafe bytes.slice(start, end).order(tape.content(name))
  }

  @inline(never)
  private func slowOrder(_ name: Int, on tape: JSONTape) -> Int {
    unsafe withBytes { token in
      unsafe WTF8.bytes(of: tape.content(name), isEscaped: tape[name].has(JSONNode.escaped))
        .withUnsafeBytes { unsafe token.order($0) }
    }
  }
}

extension JSONBytes {
  /// How far it is to the next byte of that value, or to the limit.
  @inline(__always)
  fileprivate func distance(to byte: UInt8, from start: Int, limit: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var place = start
    while place < limit, place &+ 8 <= count {
      // The lowest byte that is zero is found right ("Hacker's Delight", 6-1).
      let word = word(at: place) ^ ones &* UInt64(byte)
      let zeros = (word &- ones) & ~word & (ones &* 0x80)
      place &+= zeros != 0 ? zeros.trailingZeroBitCount &>> 3 : 8
      if zeros != 0 { break }
    }
    while place < limit, self[place] != byte { place &+= 1 }
    return min(place, limit) &- start
  }
}
