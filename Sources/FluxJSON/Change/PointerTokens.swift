/// Reads the reference tokens of a pointer one by one, without copying them.
///
/// It is a view: it is valid while its bytes are.
struct PointerTokens {
  private let bytes: JSONBytes
  private let origin: Int
  private var start: Int
  private let end: Int
  /// `true` if the pointer has a `~`, so its tokens may have escapes.
  let hasEscapes: Bool

  /// Reads a pointer that spans all of the bytes.
  ///
  /// Check `fault` first if the pointer may be invalid.
  init(_ bytes: JSONBytes) {
    self.init(bytes, in: 0..<bytes.count)
  }

  /// Reads a pointer in a range of a longer text.
  ///
  /// Bytes after the pointer make it cheaper to read.
  init(_ bytes: JSONBytes, in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.bytes = bytes
    origin = range.lowerBound
    start = range.lowerBound
    end = range.upperBound
    hasEscapes = bytes.distance(to: UInt8(ascii: "~"), from: start, limit: end) < range.count
  }

  /// The error in the pointer; nil if it is valid.
  var fault: PointerError.Reason? {
    // Without a `~`, only the first byte can be wrong.
    let isPlain = origin == end || bytes[origin] == UInt8(ascii: "/")
    guard hasEscapes || !isPlain else { return nil }
    return unsafe Pointer.fault(in: bytes.slice(origin, end))
  }

  /// `true` if there are no more tokens.
  var isAtEnd: Bool { start >= end }

  /// The offset in the bytes of the slash before the next token.
  var position: Int { start }

  /// The part of the pointer before the next token.
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
/// It is a view: it is valid while the bytes of its pointer are.
struct PointerToken {
  private let bytes: JSONBytes
  private let start: Int
  private let end: Int
  /// `true` if the token may contain escapes.
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

  /// Calls `body` with the unescaped bytes of the token in WTF-8.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard isEscaped else { return unsafe body(bytes.slice(start, end)) }
    return unsafe unescaped.withUnsafeBytes { unsafe body($0) }
  }

  /// The token as a Swift string.
  var string: String { unsafe withBytes { unsafe WTF8.string($0) } }

  /// The token as an array index; nil if it is not one.
  var index: ArrayIndex? { unsafe withBytes { unsafe ArrayIndex($0) } }

  /// `true` if the token is `-`, the place after an array's last element.
  var isEnd: Bool { end - start == 1 && bytes[start] == UInt8(ascii: "-") }

  /// The first eight bytes of the token in the form of `JSONBytes.prefix`, with escapes as written.
  var prefix: UInt64 {
    let last = bytes.count &- 8
    guard start > last, last >= 0 else { return bytes.prefix(start, end) }
    // The last token of a pointer often has fewer than eight bytes after its start.
    let word = bytes.word(at: last).byteSwapped &<< UInt64(truncatingIfNeeded: (start &- last) &* 8)
    return word & ~(UInt64.max &>> UInt64(truncatingIfNeeded: (end &- start) &* 8))
  }

  /// Returns `true` if the token equals a member's name; `prefix` is the token's own.
  @inline(__always)
  func equals(_ name: Int, on tape: JSONTape, prefix: UInt64) -> Bool {
    let node = tape[name]
    guard !isEscaped, !node.has(JSONNode.escaped) else { return slowOrder(name, on: tape) == 0 }
    // Most names that differ have another length, so this usually needs no look at the bytes.
    let count = end &- start
    guard Int(node.end &- node.start) &- 2 == count else { return false }
    guard count > 8 else {
      return tape.bytes.prefix(Int(node.start) &+ 1, Int(node.end) &- 1) == prefix
    }
    return unsafe bytes.slice(start, end).equals(tape.content(name))
  }

  /// Compares the token with a member's name by code points.
  ///
  /// Returns a negative number if the token comes first, 0 if both are equal, and a positive number
  /// if the name comes first. `prefix` is the token's own: the caller reads it once for many names.
  @inline(__always)
  func order(_ name: Int, on tape: JSONTape, prefix left: UInt64) -> Int {
    guard !isEscaped, !tape[name].has(JSONNode.escaped) else { return slowOrder(name, on: tape) }
    // If the first eight bytes differ, they determine the order.
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
  /// Returns the distance to the next byte with the given value, or to the limit.
  @inline(__always)
  fileprivate func distance(to byte: UInt8, from start: Int, limit: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var place = start
    while place < limit, place &+ 8 <= count {
      // This finds the lowest zero byte correctly ("Hacker's Delight", 6-1).
      let word = word(at: place) ^ ones &* UInt64(byte)
      let zeros = (word &- ones) & ~word & (ones &* 0x80)
      place &+= zeros != 0 ? zeros.trailingZeroBitCount &>> 3 : 8
      if zeros != 0 { break }
    }
    while place < limit, self[place] != byte { place &+= 1 }
    return min(place, limit) &- start
  }
}

/// An array index in a reference token: digits without leading zeros (RFC 6901, section 4).
struct ArrayIndex: Equatable {
  let value: Int

  /// Reads an index; returns nil if the bytes are not one.
  ///
  /// An index that overflows becomes the largest integer.
  init?(_ digits: some Collection<UInt8>) {
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else {
      return nil
    }
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int(digit) - 48)
      value = overflow || carry ? .max : sum
    }
    self.value = value
  }

  /// Reads an index from a Swift string; returns nil if the string is not one.
  init?(token: String) {
    self.init(token.utf8)
  }
}
