import FluxJSON

/// Finds patches in step lines without parsing the rest of the line.
///
/// Works on lines as writers write them, with a correct sum. For all other lines it returns `nil`,
/// and they have to be parsed.
struct StepLines {
  private let bytes: JSONBytes
  private let store: [UInt8]
  /// The start of a line's patches if the store's patch is the first.
  private let opening: [UInt8]
  private var reader = OutlineReader()
  private var cursor = LineCursor()

  /// Prepares to find the patches of a store; the bytes have to outlive this value.
  init(_ bytes: UnsafeRawBufferPointer, patching store: String) {
    self.bytes = unsafe JSONBytes(bytes)
    self.store = Array(store.utf8)
    var opening = Array(#","patches":{"#.utf8)
    unsafe self.store.withUnsafeBytes { unsafe opening.appendJSONString($0) }
    self.opening = opening + [UInt8(ascii: ":")]
  }

  mutating func patch(in range: Range<Int>) -> Range<Int>? {
    guard let line = line(in: range),
      reader.outline(bytes, from: line.lowerBound, to: line.upperBound - LineSum.tailCount) != nil
    else { return nil }
    let found = reader.writes.filter { $0.kind == .patch && isStore($0.name) }
    // If the name occurs again, the last one is used; the parser handles that.
    return found.count == 1 ? found[0].value : nil
  }

  private func isStore(_ name: Range<Int>) -> Bool {
    unsafe store.withUnsafeBytes {
      unsafe bytes.slice(name.lowerBound, name.upperBound).equals($0)
    }
  }

  /// Returns the store's patch in the first line of a range, if it replaces one value.
  ///
  /// The caller has to check that the range of the value contains exactly one value.
  mutating func replacement(in range: Range<Int>) -> ReplaceOperation? {
    guard let line = line(in: range) else { return nil }
    if let last = lastReplacement(in: line) { return last }
    guard let patch = patch(in: line) else { return nil }
    cursor.begin(bytes, from: patch.lowerBound, to: patch.upperBound)
    let replacement = ReplaceOperation(&cursor)
    return cursor.position == patch.upperBound ? replacement : nil
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
    guard let replacement = ReplaceOperation(&cursor), cursor.take("}"), cursor.position == end
    else { return nil }
    return replacement
  }

  /// Returns the first line of a range, usually the only one, if its sum is correct.
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

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    if end > range.lowerBound, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > range.lowerBound, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return range.lowerBound..<end
  }
}

/// A patch of one operation that replaces a value: the places of its pointer, which has no JSON
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
  /// Returns the first place of a word of at least five bytes between two places; compares sixteen
  /// bytes at a time.
  ///
  /// May return `nil` if the bytes end soon after the second place.
  func place(of word: [UInt8], from start: Int, to end: Int) -> Int? {
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

  @inline(__always)
  private static func firstByte(of halves: SIMD2<UInt64>) -> Int {
    halves.x != 0
      ? halves.x.littleEndian.trailingZeroBitCount &>> 3
      : 8 &+ halves.y.littleEndian.trailingZeroBitCount &>> 3
  }
}
