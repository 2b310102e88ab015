/// Finds members of step lines without parsing what is around them.
///
/// For lines as writers write them: with a right sum, without blanks, members in order, names
/// without escapes. For all others it finds nothing, and they are parsed.
struct StepLines {
  private let bytes: JSONBytes
  /// The store's name as an object writes it, with quotes and colon.
  private let key: [UInt8]
  /// What a line's patches begin with, where that of the store is the first.
  private let opening: [UInt8]
  private var cursor = LineCursor()

  /// For the patches of a store; the bytes have to outlive this.
  init(_ bytes: UnsafeRawBufferPointer, patching store: String) {
    self.bytes = unsafe JSONBytes(bytes)
    var key: [UInt8] = []
    unsafe Array(store.utf8).span.bytes.withUnsafeBytes { unsafe key.appendJSONString($0) }
    key.append(UInt8(ascii: ":"))
    self.key = key
    opening = Array(#","patches":{"#.utf8) + key
  }

  /// Where the store's patch stands in the line that a range begins with.
  mutating func patch(in range: Range<Int>) -> Range<Int>? {
    guard let line = line(in: range) else { return nil }
    return find(in: line) { cursor, _ in
      let start = cursor.position
      return cursor.skipValue() ? start..<cursor.position : nil
    }
  }

  /// The store's patch in the line that a range begins with, where it replaces one value.
  ///
  /// Right where what it calls the value is one value, which is for those to check who parse it.
  mutating func replacement(in range: Range<Int>) -> Replacement? {
    guard let line = line(in: range) else { return nil }
    return lastReplacement(in: line) ?? find(in: line) { Replacement(&$0, of: $1) }
  }

  /// The same where the line ends in it, as most lines do: found by how it begins, without going
  /// past all that is before.
  ///
  /// In a line that is JSON, quotes in a string have escapes: what reads as the beginning of a member
  /// is one. And it is the line's own, and not one of some object inside: after one value, what
  /// follows here closes the patch, the patches, and then the line.
  private mutating func lastReplacement(in line: Range<Int>) -> Replacement? {
    let end = line.upperBound - LineSum.tailCount
    guard let start = bytes.place(of: opening, from: line.lowerBound, to: end) else { return nil }
    cursor.begin(bytes, from: start + opening.count, to: end)
    guard let replacement = Replacement(&cursor, of: bytes), cursor.position == end - 1,
      bytes[cursor.position] == UInt8(ascii: "}")
    else { return nil }
    return replacement
  }

  /// Reads a store's patch with `read`, which goes past it.
  @inline(__always)
  private mutating func find<Found>(
    in line: Range<Int>, _ read: (inout LineCursor, JSONBytes) -> Found?
  ) -> Found? {
    // Before the comma of the sum.
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
    // Of a name that comes again the last one counts, which is left to the parser.
    while cursor.position < cursor.end {
      guard !cursor.take(.patches), skipMember() else { return nil }
    }
    return found
  }

  /// Goes past a comma, a name and its value.
  private mutating func skipMember() -> Bool {
    guard cursor.position < cursor.end, bytes[cursor.position] == UInt8(ascii: ",") else {
      return false
    }
    cursor.position += 1
    return skipName() != nil && cursor.skipValue()
  }

  /// Goes past a name and its colon; returns whether it is the store's, nil where there is no name.
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

  /// The line that a range begins with, where its sum is right.
  ///
  /// Mostly the range is one line; where others follow, the sum of all is not that of the last.
  private func line(in range: Range<Int>) -> Range<Int>? {
    let whole = trimmed(range)
    if unsafe LineSum.isSound(bytes.slice(whole.lowerBound, whole.upperBound)) { return whole }
    guard
      let count = unsafe bytes.slice(range.lowerBound, range.upperBound)
        .firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    let line = trimmed(range.lowerBound..<range.lowerBound + count)
    return unsafe LineSum.isSound(bytes.slice(line.lowerBound, line.upperBound)) ? line : nil
  }

  /// The range without the characters that end a line.
  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    if end > range.lowerBound, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > range.lowerBound, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return range.lowerBound..<end
  }
}

extension JSONBytes {
  /// Where a word of five bytes or more first stands between two places, sixteen at a time.
  ///
  /// May find nothing where the bytes end soon after the second place.
  fileprivate func place(of word: [UInt8], from start: Int, to end: Int) -> Int? {
    let first = SIMD16(repeating: word[0])
    let fifth = SIMD16(repeating: word[4])
    var place = start
    while place &+ word.count <= end, place &+ 20 <= count {
      let found = (block(at: place) .== first) .& (block(at: place &+ 4) .== fifth)
      // Sixteen bytes without padding; `any` looks at them one by one.
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

  /// The place of the first byte that is not zero, of sixteen.
  @inline(__always)
  private static func firstByte(of halves: SIMD2<UInt64>) -> Int {
    halves.x != 0
      ? halves.x.littleEndian.trailingZeroBitCount &>> 3
      : 8 &+ halves.y.littleEndian.trailingZeroBitCount &>> 3
  }
}
