/// Finds members of step lines without parsing what is around them.
///
/// For lines as writers write them: with a right sum, without blanks, members in order, names
/// without escapes. For all others it finds nothing, and they are parsed.
struct StepLines {
  private let bytes: JSONBytes
  private var cursor = LineCursor()

  /// The bytes have to outlive this.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = unsafe JSONBytes(bytes)
  }

  /// Where a store's patch stands in the line that a range begins with.
  ///
  /// `key` is the store's name as an object writes it, with quotes and colon.
  mutating func patch(of key: [UInt8], in range: Range<Int>) -> Range<Int>? {
    guard let line = line(in: range) else { return nil }
    // Before the comma of the sum.
    cursor.begin(bytes, from: line.lowerBound, to: line.upperBound - LineSum.tailCount)
    guard cursor.take(.number), cursor.skipValue(),
      cursor.take(.time), cursor.skipValue(),
      cursor.take(.action), cursor.skipValue()
    else { return nil }
    while !cursor.take(.patches) {
      guard skipMember() else { return nil }
    }
    var patch: Range<Int>?
    repeat {
      guard let isStore = skipName(key), !isStore || patch == nil else { return nil }
      let start = cursor.position
      guard cursor.skipValue(), cursor.position < cursor.end else { return nil }
      if isStore { patch = start..<cursor.position }
      cursor.position += 1
    } while bytes[cursor.position - 1] == UInt8(ascii: ",")
    guard bytes[cursor.position - 1] == UInt8(ascii: "}") else { return nil }
    // Of a name that comes again the last one counts, which is left to the parser.
    while cursor.position < cursor.end {
      guard !cursor.take(.patches), skipMember() else { return nil }
    }
    return patch
  }

  /// Goes past a comma, a name and its value.
  private mutating func skipMember() -> Bool {
    guard cursor.position < cursor.end, bytes[cursor.position] == UInt8(ascii: ",") else {
      return false
    }
    cursor.position += 1
    return skipName([]) != nil && cursor.skipValue()
  }

  /// Goes past a name and its colon; returns whether it is that key, nil where there is no name.
  private mutating func skipName(_ key: [UInt8]) -> Bool? {
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
