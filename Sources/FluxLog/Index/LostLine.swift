/// The likely kind of a line that cannot be read, by its first bytes.
enum LostLine: Sendable {
  /// A step, or a line that looks like no other kind.
  case step
  case gap
  /// A mark, an end line or a header.
  case other

  init(_ content: UnsafeRawBufferPointer) {
    // One of these bytes may be damaged.
    let isGap = unsafe Self.differences(content, #"{"gap":"#) <= 1
    let isOther = [#"{"mark""#, #"{"end""#, #"{"flux""#].contains {
      unsafe content.starts(with: $0.utf8)
    }
    self = isGap ? .gap : isOther ? .other : .step
  }

  /// Returns how many of the expected first bytes differ.
  private static func differences(_ content: UnsafeRawBufferPointer, _ expected: String) -> Int {
    let common = unsafe zip(content, expected.utf8).count { $0 == $1 }
    return expected.utf8.count - common
  }
}
