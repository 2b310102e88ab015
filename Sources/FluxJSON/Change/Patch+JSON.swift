extension Patch {
  /// Returns the patch in the form used in logs.
  public func json() -> JSON {
    JSON(writing: { write(into: &$0) })
  }

  /// The patch as it is written in a log: the text of an array of operations.
  package var text: [UInt8] {
    var writer = JSONWriter()
    write(into: &writer)
    return writer.bytes
  }

  package func write(into writer: inout JSONWriter) {
    writer.beginArray()
    for operation in operations { operation.write(into: &writer) }
    writer.endArray()
  }

  var byteCount: Int { operations.reduce(2 + max(0, operations.count - 1)) { $0 + $1.byteCount } }
}

extension Patch.Operation {
  /// The pointer to the value that the operation changes or tests.
  public var path: Pointer {
    switch self {
    case .add(let path, _), .remove(let path), .replace(let path, _), .move(_, let path),
      .copy(_, let path), .test(let path, _), .splice(let path, _, _, _):
      path
    }
  }

  private var members: (kind: PatchStep.Kind, from: Pointer?, value: JSON?) {
    switch self {
    case .add(_, let value): (.add, nil, value)
    case .remove: (.remove, nil, nil)
    case .replace(_, let value): (.replace, nil, value)
    case .move(let from, _): (.move, from, nil)
    case .copy(let from, _): (.copy, from, nil)
    case .test(_, let value): (.test, nil, value)
    case .splice(_, _, _, let inserted): (.splice, nil, inserted)
    }
  }

  func write(into writer: inout JSONWriter) {
    let (kind, from, value) = members
    writer.beginObject()
    writer.member("op", kind.rawValue)
    if let from { writer.member("from", from) }
    writer.member("path", path)
    if case .splice(_, let at, let deleted, _) = self {
      writer.name("at")
      writer.int(at)
      writer.name("del")
      writer.int(deleted)
    }
    writer.member(kind == .splice ? "ins" : "value", value)
    writer.endObject()
  }

  /// The length of the text that `write` produces.
  var byteCount: Int {
    let (kind, from, value) = members
    // {"op":"…","path":"…"} without the word and the pointer.
    var count = 19 + kind.rawValue.utf8.count + WTF8.writtenCount(path.bytes)
    if let from { count += 10 + WTF8.writtenCount(from.bytes) }
    if let value { count += 9 + value.byteCount }
    if case .splice(_, let at, let deleted, _) = self {
      count += 11 + at.description.utf8.count + deleted.description.utf8.count
    }
    return count
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ pointer: Pointer) {
    self.name(name)
    raw { WTF8.appendJSON(pointer.bytes, to: &$0) }
  }
}

extension WTF8 {
  /// Returns the length of a text between the quotes of a JSON string.
  static func writtenCount(_ bytes: [UInt8]) -> Int {
    guard bytes.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0xED }) else {
      return bytes.count
    }
    var text: [UInt8] = []
    appendJSON(bytes, to: &text)
    return text.count - 2
  }
}
