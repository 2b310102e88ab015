/// What a line that cannot be read may have been, by what it begins with.
enum LostLine: Sendable {
  /// A step, or one that looks like no other kind.
  case step
  case gap
  /// A mark, an end or a header.
  case other

  init(_ content: UnsafeRawBufferPointer) {
    // A damaged byte may be one of these.
    let isGap = unsafe Self.differences(content, #"{"gap":"#) <= 1
    let isOther = [#"{"mark""#, #"{"end""#, #"{"flux""#].contains {
      unsafe content.starts(with: $0.utf8)
    }
    self = isGap ? .gap : isOther ? .other : .step
  }

  /// How many bytes at the beginning of a line are not as expected.
  private static func differences(_ content: UnsafeRawBufferPointer, _ expected: String) -> Int {
    let common = unsafe zip(content, expected.utf8).count { $0 == $1 }
    return expected.utf8.count - common
  }
}
