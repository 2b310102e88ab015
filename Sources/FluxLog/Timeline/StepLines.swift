import FluxJSON

/// Finds members of step lines without parsing the rest of the line.
///
/// Works on lines as writers write them: with a correct sum, without blanks, with members in order
/// and names without escapes. For all other lines it returns `nil`, and they have to be parsed.
struct StepLines {
  private let bytes: JSONBytes
  /// The name of the store as an object writes it, with quotes and colon.
  private let key: [UInt8]
  /// The start of a line's patches if the store's patch is the first.
  private let opening: [UInt8]
  private var cursor = LineCursor()

  /// Prepares to find the patches of a store; the bytes have to outlive this value.
  init(_ bytes: UnsafeRawBufferPointer, patching store: String) {
    self.bytes = unsafe JSONBytes(bytes)
    var key: [UInt8] = []
    unsafe Array(store.utf8).span.bytes.withUnsafeBytes { unsafe key.appendJSONString($0) }
    key.append(UInt8(ascii: ":"))
    self.key = key
    opening = Array(#","patches":{"#.utf8) + key
  }

  /// Returns the range of the store's patch in the first line of a range.
  mutating func patch(in range: Range<Int>) -> Range<Int>? {
    guard let line = line(in: range) else { return nil }
    return find(in: line) { cursor, _ in
      let start = cursor.position
      return cursor.skipValue() ? start..<cursor.position : nil
    }
  }

  /// Returns the store's patch in the first line of a range, if it replaces one value.
  ///
  /// The caller has to check that the range of the value contains exactly one value.
  mutating func replacement(in range: Range<Int>) -> ReplaceOperation? {
    guard let line = line(in: range) else { return nil }
    return lastReplacement(in: line) ?? find(in: line) { ReplaceOperation(&$0, of: $1) }
  }

  /// Returns the replacement if the line ends with it, as most lines do, without scanning what
  /// precedes it.
  ///
  /// Quotes inside a JSON string are escaped, so a match of `opening` is the start of a member. It
  /// is a member of the line and not of a nested object: after one value, the patch, the patches
  /// and the line are closed.
  private mutating func lastReplacement(in line: Range<Int>) -> ReplaceOperation? {
    let end = line.upperBound - LineSum.tailCount
    guard let start = bytes.place(of: opening, from: line.lowerBound, to: end) else { return nil }
    cursor.begin(bytes, from: start + opening.count, to: end)
    guard let replacement = ReplaceOperation(&cursor, of: bytes), cursor.position == end - 1,
      bytes[cursor.position] == UInt8(ascii: "}")
    else { return nil }
    return replacement
  }

  /// Reads a store's patch with `read`, which advances past it.
  @inline(__always)
  private mutating func find<Found>(
    in line: Range<Int>, _ read: (inout LineCursor, JSONBytes) -> Found?
  ) -> Found? {
    // Up to the comma before the sum.
    cursor.begin(bytes, from: line.lowerBound, to: line.upperBound - LineSum.tailCount)
    guard cursor.take(.number), cursor.skipValue(),
      cursor.take(.time), cursor.skipValue(),
      cursor.take(.action), cursor.skipValue()
    else { return nil }
    while !cursor.take(.patches) {
      guard skipMember() else { return nil }
    }
    var found: Found?
    repeat {
      guard let isStore = skipName(), !isStore || found == nil else { return nil }
      if isStore {
        found = read(&cursor, bytes)
        guard found != nil else { return nil }
      } else {
        guard cursor.skipValue() else { return nil }
      }
      guard cursor.position < cursor.end else { return nil }
      cursor.position += 1
    } while bytes[cursor.position - 1] == UInt8(ascii: ",")
    guard bytes[cursor.position - 1] == UInt8(ascii: "}") else { return nil }
    // If the name occurs again, the last one is used; the parser handles that.
    while cursor.position < cursor.end {
      guard !cursor.take(.patches), skipMember() else { return nil }
    }
    return found
  }

  /// Advances past a comma, a name and its value.
  private mutating func skipMember() -> Bool {
    guard cursor.position < cursor.end, bytes[cursor.position] == UInt8(ascii: ",") else {
      return false
    }
    cursor.position += 1
    return skipName() != nil && cursor.skipValue()
  }

  /// Advances past a name and its colon; returns `true` for the store's name, and `nil` if there is
  /// no name.
  private mutating func skipName() -> Bool? {
    let start = cursor.position
    guard start < cursor.end, bytes[start] == UInt8(ascii: "\"") else { return nil }
    cursor.position += 1
    guard cursor.skipString(), !cursor.stringHasEscapes, cursor.position < cursor.end,
      bytes[cursor.position] == UInt8(ascii: ":")
    else { return nil }
    cursor.position += 1
    guard cursor.position - start == key.count else { return false }
    return unsafe key.withUnsafeBytes { unsafe bytes.slice(start, cursor.position).equals($0) }
  }

  /// Returns the first line of a range if its sum is correct.
  ///
  /// Usually the range is one line. If others follow, the sum of the whole range does not match.
  private func line(in range: Range<Int>) -> Range<Int>? {
    let whole = trimmed(range)
    if unsafe LineSum.isValid(bytes.slice(whole.lowerBound, whole.upperBound)) { return whole }
    guard
      let count = unsafe bytes.slice(range.lowerBound, range.upperBound)
        .firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    let line = trimmed(range.lowerBound..<range.lowerBound + count)
    return unsafe LineSum.isValid(bytes.slice(line.lowerBound, line.upperBound)) ? line : nil
  }

  /// Returns the range without the line break at its end.
  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    if end > range.lowerBound, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > range.lowerBound, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return range.lowerBound..<end
  }
}

extension JSONBytes {
  /// Returns the first place of a word of at least five bytes between two places; compares sixteen
  /// bytes at a time.
  ///
  /// May return `nil` if the bytes end soon after the second place.
  fileprivate func place(of word: [UInt8], from start: Int, to end: Int) -> Int? {
    let first = SIMD16(repeating: word[0])
    let fifth = SIMD16(repeating: word[4])
    var place = start
    while place &+ word.count <= end, place &+ 20 <= count {
      let found = (block(at: place) .== first) .& (block(at: place &+ 4) .== fifth)
      // Sixteen bytes without padding. `any` would test them one by one.
      let halves = unsafe unsafeBitCast(found, to: SIMD2<UInt64>.self)
      guard halves.x | halves.y != 0 else {
        place &+= 16
        continue
      }
      place &+= Self.firstByte(of: halves)
      let last = place &+ word.count
      if last <= end, unsafe word.withUnsafeBytes({ unsafe slice(place, last).equals($0) }) {
        return place
      }
      place &+= 1
    }
    return nil
  }

  /// Returns the index of the first nonzero byte of sixteen.
  @inline(__always)
  private static func firstByte(of halves: SIMD2<UInt64>) -> Int {
    halves.x != 0
      ? halves.x.littleEndian.trailingZeroBitCount &>> 3
      : 8 &+ halves.y.littleEndian.trailingZeroBitCount &>> 3
  }
}
