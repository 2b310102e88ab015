/// Reads the reference tokens of a pointer one by one, without copying them.
struct PointerTokens {
  private let bytes: JSONBytes
  private let origin: Int
  private var start: Int
  private let end: Int
  /// `true` if the pointer has a `~`, so its tokens may have escapes.
  let hasEscapes: Bool

  /// Reads a pointer that spans all of the bytes.
  init(_ bytes: JSONBytes) {
    self.init(bytes, in: 0..<bytes.count)
  }

  /// Reads a pointer in a range of a longer text.
  init(_ bytes: JSONBytes, in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.bytes = bytes
    origin = range.lowerBound
    start = range.lowerBound
    end = range.upperBound
    hasEscapes = bytes.distance(to: UInt8(ascii: "~"), from: start, limit: end) < range.count
  }

  var fault: PointerError.Reason? {
    // Without a `~`, only the first byte can be wrong.
    let isPlain = origin == end || bytes[origin] == UInt8(ascii: "/")
    guard hasEscapes || !isPlain else { return nil }
    return unsafe Pointer.fault(in: bytes.slice(origin, end))
  }

  var isAtEnd: Bool { start >= end }

  /// The offset in the bytes of the slash before the next token.
  var position: Int { start }

  /// The part of the pointer before the next token.
  var readSoFar: String { unsafe WTF8.string(bytes.slice(origin, min(start, end))) }

  @inline(__always)
  mutating func next() -> PointerToken? {
    guard start < end else { return nil }
    let first = start &+ 1
    start = first &+ bytes.distance(to: UInt8(ascii: "/"), from: first, limit: end)
    return PointerToken(bytes: bytes, start: first, end: start, isEscaped: hasEscapes)
  }
}

/// One reference token: the name of a member, or the index of an element.
struct PointerToken {
  fileprivate let bytes: JSONBytes
  fileprivate let start: Int
  fileprivate let end: Int
  /// `true` if the token may contain escapes.
  fileprivate let isEscaped: Bool

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

  var string: String { unsafe withBytes { unsafe WTF8.string($0) } }

  /// The token as an array index; nil if it is not one.
  var index: Int? { unsafe withBytes { unsafe Int(arrayIndex: $0) } }

  /// `true` if the token is `-`, the place after an array's last element.
  var isEnd: Bool { end - start == 1 && bytes[start] == UInt8(ascii: "-") }
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

extension Int {
  /// Reads the array index in a reference token, digits without leading zeros (RFC 6901, section 4); nil for other bytes.
  ///
  /// One beyond the largest number becomes the largest number.
  init?(arrayIndex digits: some Collection<UInt8>) {
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
    self = value
  }
}
