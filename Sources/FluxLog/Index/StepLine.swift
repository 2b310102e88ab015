import FluxJSON

/// A step line as writers write it, with a correct sum, read only as far as a caller needs.
///
/// From the cheapest to the whole: ``time(_:from:)`` reads the beginning, ``outline(_:)`` finds the parts that the index
/// needs, ``PatchFinder`` finds the value that a patch replaces, and ``LogStep`` parses the line. All but the last
/// return `nil` for a line with another layout, which has to be parsed.
struct StepLine {
  let bytes: JSONBytes
  /// The range of the line in the bytes, without its newline.
  let range: Range<Int>

  /// Makes a line of a range without the newline; `nil` if the line does not end with a correct sum.
  @inline(__always)
  init?(_ bytes: JSONBytes, _ range: Range<Int>) {
    let range = Self.withoutReturn(range, bytes)
    guard unsafe LineSum.isValid(bytes.slice(range.lowerBound, range.upperBound)) else {
      return nil
    }
    (self.bytes, self.range) = (bytes, range)
  }

  /// Makes the first line, usually the only one, of a range that ends with a line.
  init?(_ bytes: JSONBytes, firstOf range: Range<Int>) {
    let newline = UInt8(ascii: "\n")
    let hasNewline = !range.isEmpty && bytes[range.upperBound - 1] == newline
    if let line = StepLine(bytes, range.lowerBound..<range.upperBound - (hasNewline ? 1 : 0)) {
      self = line
      return
    }
    let text = unsafe bytes.slice(range.lowerBound, range.upperBound)
    guard let count = unsafe text.firstIndex(of: newline) else { return nil }
    self.init(bytes, range.lowerBound..<range.lowerBound + count)
  }

  @inline(__always)
  static func withoutReturn(_ range: Range<Int>, _ bytes: JSONBytes) -> Range<Int> {
    let hasReturn = !range.isEmpty && bytes[range.upperBound &- 1] == UInt8(ascii: "\r")
    return range.lowerBound..<range.upperBound &- (hasReturn ? 1 : 0)
  }

  /// The offset of the comma before the sum.
  var end: Int { range.upperBound &- LineSum.tailCount }

  /// Reads the time of a line in microseconds; the end of the line need not be known.
  static func time(_ bytes: JSONBytes, from start: Int) -> UInt64? {
    var cursor = LineCursor()
    cursor.begin(bytes, from: start, to: bytes.count)
    guard cursor.take(#"{"n":"#), cursor.digits() != nil, cursor.take(#","t":"#) else { return nil }
    return cursor.seconds()
  }

  /// Finds the parts of the line that the index needs; `reader` then contains the stores that the step writes.
  @inline(__always)
  func outline(_ reader: inout OutlineReader) -> StepOutline? {
    reader.outline(bytes, from: range.lowerBound, to: end)
  }

  /// Returns the text of a value that the step writes, by the index of the write among `count`.
  func value(ofWrite write: Int, of count: Int, _ reader: inout OutlineReader) -> [UInt8]? {
    guard outline(&reader) != nil, reader.writes.count == count else { return nil }
    return reader.writes.dropFirst(write).first.map {
      unsafe [UInt8](bytes.slice($0.value.lowerBound, $0.value.upperBound))
    }
  }
}

/// Finds the patch of one store in step lines.
struct PatchFinder {
  let store: String
  private let name: [UInt8]
  /// The start of a line's patches if the store's patch is the first.
  private let opening: [UInt8]
  private var reader = OutlineReader()
  private var cursor = LineCursor()

  init(_ store: String) {
    self.store = store
    name = Array(store.utf8)
    var opening = Array(#","patches":{"#.utf8)
    unsafe name.withUnsafeBytes { unsafe opening.appendJSONString($0) }
    self.opening = opening + [UInt8(ascii: ":")]
  }

  mutating func patch(in line: StepLine) -> Range<Int>? {
    guard line.outline(&reader) != nil else { return nil }
    let found = reader.writes.filter { write in
      guard write.kind == .patch else { return false }
      return unsafe name.withUnsafeBytes {
        unsafe line.bytes.slice(write.name.lowerBound, write.name.upperBound).equals($0)
      }
    }
    // If the name occurs again, the last one is used; the parser handles that.
    return found.count == 1 ? found[0].value : nil
  }

  /// Returns the store's patch if it replaces one value.
  ///
  /// The caller has to check that the range of the value contains exactly one value.
  mutating func replacement(in line: StepLine) -> ReplaceOperation? {
    if let last = lastReplacement(in: line) { return last }
    guard let patch = patch(in: line) else { return nil }
    cursor.begin(line.bytes, from: patch.lowerBound, to: patch.upperBound)
    let replacement = ReplaceOperation(&cursor)
    return cursor.position == patch.upperBound ? replacement : nil
  }

  /// Returns the replacement if the line ends with it, as most lines do, without scanning what
  /// precedes it.
  ///
  /// Quotes inside a JSON string are escaped, so a match of `opening` is the start of a member. It
  /// is a member of the line and not of a nested object: after one value, the patch, the patches
  /// and the line are closed.
  private mutating func lastReplacement(in line: StepLine) -> ReplaceOperation? {
    let (bytes, end) = (line.bytes, line.end)
    guard let start = bytes.offset(of: opening, from: line.range.lowerBound, to: end) else {
      return nil
    }
    cursor.begin(bytes, from: start + opening.count, to: end)
    guard let replacement = ReplaceOperation(&cursor), cursor.take("}"), cursor.position == end
    else { return nil }
    return replacement
  }
}

/// A patch of one operation that replaces a value: the bytes of its pointer, which has no JSON
/// escapes, and of its value.
struct ReplaceOperation: Equatable {
  let path: Range<Int>
  let value: Range<Int>

  /// Advances past `[{"op":"replace","path":…,"value":…}]` as writers write it.
  ///
  /// Returns `nil` if anything else is there. Does not validate the value.
  init?(_ cursor: inout LineCursor) {
    guard cursor.take(#"[{"op":"replace","path":""#) else { return nil }
    let pathStart = cursor.position
    guard cursor.skipString(), !cursor.stringHasEscapes else { return nil }
    path = pathStart..<cursor.stringEnd
    guard cursor.take(#","value":"#) else { return nil }
    let valueStart = cursor.position
    guard cursor.skipValue() else { return nil }
    value = valueStart..<cursor.position
    guard cursor.take("}]") else { return nil }
  }
}

extension JSONBytes {
  /// Returns the first offset of a word of at least five bytes between two offsets; compares sixteen
  /// bytes at a time.
  ///
  /// May return `nil` if the bytes end soon after the second one.
  func offset(of word: [UInt8], from start: Int, to end: Int) -> Int? {
    let first = SIMD16(repeating: word[0])
    let fifth = SIMD16(repeating: word[4])
    var offset = start
    while offset &+ word.count <= end, offset &+ 20 <= count {
      let found = (block(at: offset) .== first) .& (block(at: offset &+ 4) .== fifth)
      // Sixteen bytes without padding. `any` would test them one by one.
      let halves = unsafe unsafeBitCast(found, to: SIMD2<UInt64>.self)
      guard halves.x | halves.y != 0 else {
        offset &+= 16
        continue
      }
      offset &+= Self.firstByte(of: halves)
      let last = offset &+ word.count
      if last <= end, unsafe word.withUnsafeBytes({ unsafe slice(offset, last).equals($0) }) {
        return offset
      }
      offset &+= 1
    }
    return nil
  }

  @inline(__always)
  private static func firstByte(of halves: SIMD2<UInt64>) -> Int {
    halves.x != 0
      ? halves.x.littleEndian.trailingZeroBitCount &>> 3
      : 8 &+ halves.y.littleEndian.trailingZeroBitCount &>> 3
  }
}
