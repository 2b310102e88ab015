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

  func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("op", PatchStep.Kind(self).rawValue)
    if case .move(let from, _) = self { writer.member("from", from) }
    if case .copy(let from, _) = self { writer.member("from", from) }
    writer.member("path", path)
    switch self {
    case .add(_, let value), .replace(_, let value), .test(_, let value):
      writer.member("value", value)
    case .splice(_, let at, let deleted, let inserted):
      writer.name("at")
      writer.int(at)
      writer.name("del")
      writer.int(deleted)
      writer.member("ins", inserted)
    case .remove, .move, .copy: break
    }
    writer.endObject()
  }

  /// The length of the text that `write` produces.
  var byteCount: Int {
    // {"op":"…","path":"…"} without the word and the pointer.
    let frame = 19 + PatchStep.Kind(self).rawValue.utf8.count + WTF8.writtenCount(path.bytes)
    switch self {
    case .remove: return frame
    case .add(_, let value), .replace(_, let value), .test(_, let value):
      return frame + 9 + value.byteCount
    case .move(let from, _), .copy(let from, _): return frame + 10 + WTF8.writtenCount(from.bytes)
    case .splice(_, let at, let deleted, let inserted):
      return frame + 20 + at.description.utf8.count + deleted.description.utf8.count
        + inserted.byteCount
    }
  }
}

extension PatchStep.Kind {
  init(_ operation: Patch.Operation) {
    switch operation {
    case .add: self = .add
    case .remove: self = .remove
    case .replace: self = .replace
    case .move: self = .move
    case .copy: self = .copy
    case .test: self = .test
    case .splice: self = .splice
    }
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
