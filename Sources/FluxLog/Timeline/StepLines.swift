/// Finds members of step lines without parsing what is around them.
///
/// For lines as writers write them: with a right sum, without blanks, names without escapes. For
/// all others it finds nothing, and they are parsed.
struct StepLines {
  private let bytes: JSONBytes

  /// The bytes have to outlive this.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = unsafe JSONBytes(bytes)
  }

  /// Where a store's patch stands in the line that a range begins with.
  func patch(of store: [UInt8], in range: Range<Int>) -> Range<Int>? {
    guard let line = line(in: range), let patches = member(Self.patches, in: line),
      let patch = member(store, in: patches),
      bytes[patch.lowerBound] == UInt8(ascii: "[")
    else { return nil }
    return patch
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

  private static let patches = Array("patches".utf8)

  /// The value of the last member of that name of an object.
  private func member(_ name: [UInt8], in object: Range<Int>) -> Range<Int>? {
    guard !object.isEmpty, bytes[object.lowerBound] == UInt8(ascii: "{") else { return nil }
    var cursor = LineCursor()
    cursor.begin(bytes, from: object.lowerBound + 1, to: object.upperBound)
    var found: Range<Int>?
    while cursor.position < object.upperBound, bytes[cursor.position] == UInt8(ascii: "\"") {
      cursor.position += 1
      let start = cursor.position
      guard cursor.skipString(), !cursor.stringHasEscapes, cursor.position < object.upperBound,
        bytes[cursor.position] == UInt8(ascii: ":")
      else { return nil }
      let nameEnd = cursor.stringEnd
      cursor.position += 1
      let value = cursor.position
      guard cursor.skipValue(), cursor.position < object.upperBound else { return nil }
      if unsafe nameEnd - start == name.count && bytes.slice(start, nameEnd).elementsEqual(name) {
        found = value..<cursor.position
      }
      let separator = bytes[cursor.position]
      cursor.position += 1
      if separator == UInt8(ascii: "}") {
        return cursor.position == object.upperBound ? found : nil
      }
      guard separator == UInt8(ascii: ",") else { return nil }
    }
    return nil
  }
}
