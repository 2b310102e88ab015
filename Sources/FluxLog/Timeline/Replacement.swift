/// A patch of one operation that replaces a value: where its pointer, which has no escapes of JSON,
/// and its value stand.
struct Replacement: Equatable {
  let path: Range<Int>
  let value: Range<Int>

  /// Goes past `[{"op":"replace","path":…,"value":…}]` as writers write it.
  ///
  /// Nil where something else stands there. The value is not looked into.
  init?(_ cursor: inout LineCursor, of bytes: JSONBytes) {
    guard cursor.take(Self.head, of: bytes) else { return nil }
    let pathStart = cursor.position
    guard cursor.skipString(), !cursor.stringHasEscapes else { return nil }
    path = pathStart..<cursor.stringEnd
    guard cursor.take(Self.middle, of: bytes) else { return nil }
    let valueStart = cursor.position
    guard cursor.skipValue() else { return nil }
    value = valueStart..<cursor.position
    guard cursor.take(Self.tail, of: bytes) else { return nil }
  }

  private static var head: StaticString { #"[{"op":"replace","path":""# }
  private static var middle: StaticString { #","value":"# }
  private static var tail: StaticString { "}]" }
}

extension LineCursor {
  /// Goes past a word where it stands here.
  @inline(__always)
  fileprivate mutating func take(_ word: StaticString, of bytes: JSONBytes) -> Bool {
    let next = position + word.utf8CodeUnitCount
    guard next <= end,
      word.withUTF8Buffer({ unsafe bytes.slice(position, next).equals(UnsafeRawBufferPointer($0)) })
    else { return false }
    position = next
    return true
  }
}
