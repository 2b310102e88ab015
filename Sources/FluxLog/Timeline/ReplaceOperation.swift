import FluxJSON

/// A patch of one operation that replaces a value: the places of its pointer, which has no JSON
/// escapes, and of its value.
struct ReplaceOperation: Equatable {
  let path: Range<Int>
  let value: Range<Int>

  /// Advances past `[{"op":"replace","path":…,"value":…}]` as writers write it.
  ///
  /// Returns `nil` if anything else is there. Does not validate the value.
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
  /// Advances past a word if it is next.
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
