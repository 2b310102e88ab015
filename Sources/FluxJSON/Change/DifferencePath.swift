/// The pointer to the values that are currently compared.
struct DifferencePath {
  private var bytes: [UInt8] = []

  var pointer: Pointer { Pointer(checked: bytes) }

  /// The length of the pointer between the quotes of a JSON string.
  var writtenCount: Int { WTF8.writtenCount(bytes) }

  /// A position in the path to return to with `leave`.
  typealias Mark = Int

  mutating func enter(index: Int) -> Mark {
    let mark = bytes.count
    bytes.appendToken(index.description.utf8)
    return mark
  }

  /// Enters the member whose name is at the given place on a tape.
  mutating func enter(name: Int, on tape: JSONTape) -> Mark {
    let mark = bytes.count
    let isEscaped = tape[name].has(JSONNode.escaped)
    bytes.appendToken(unsafe WTF8.bytes(of: tape.content(name), isEscaped: isEscaped))
    return mark
  }

  mutating func leave(_ mark: Mark) {
    bytes.removeSubrange(mark...)
  }
}
