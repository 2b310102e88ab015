/// One operation on its way into a draft, whether it comes from a patch or straight from the text
/// of one: nothing is copied to make it, as a seek in a log applies hundreds.
struct PatchStep {
  /// The operations by the names that RFC 6902 and LOG-FORMAT give them.
  enum Kind: String, CaseIterable {
    case add, remove, replace, move, copy, test, splice
  }

  /// The text of a JSON Pointer.
  enum Path {
    case pointer(Pointer)
    /// A JSON string.
    case text(JSON)
  }

  var kind: Kind
  var path: Path
  var from: Path?
  var value: JSON?
  var at = 0
  var deleted = 0
}

extension PatchStep.Path {
  /// Calls `body` with the text in WTF-8.
  func withBytes<Result, Failure>(
    _ body: (JSONBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .pointer(let pointer): return try PatchStep.Path.view(pointer.bytes, body)
    case .text(let string):
      guard !string.node.has(JSONNode.escaped) else {
        return try PatchStep.Path.view(WTF8.bytes(of: string), body)
      }
      return try string.document.withTape { (tape) throws(Failure) in
        try body(unsafe JSONBytes(tape.content(string.place)))
      }
    }
  }

  private static func view<Result, Failure>(
    _ bytes: [UInt8], _ body: (JSONBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(Failure) in
      try body(unsafe JSONBytes(bytes))
    }
  }

  /// The text as Swift holds it.
  var description: String {
    switch self {
    case .pointer(let pointer): pointer.description
    case .text(let string): string.string ?? ""
    }
  }
}

extension PatchStep {
  init(_ operation: Patch.Operation) {
    switch operation {
    case .add(let path, let value): self.init(kind: .add, path: .pointer(path), value: value)
    case .remove(let path): self.init(kind: .remove, path: .pointer(path))
    case .replace(let path, let value):
      self.init(kind: .replace, path: .pointer(path), value: value)
    case .move(let from, let path):
      self.init(kind: .move, path: .pointer(path), from: .pointer(from))
    case .copy(let from, let path):
      self.init(kind: .copy, path: .pointer(path), from: .pointer(from))
    case .test(let path, let value): self.init(kind: .test, path: .pointer(path), value: value)
    case .splice(let path, let at, let deleted, let inserted):
      self.init(
        kind: .splice, path: .pointer(path), value: inserted, at: at, deleted: deleted)
    }
  }
}
