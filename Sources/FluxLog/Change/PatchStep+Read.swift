extension PatchStep {
  /// Reads one operation of the text of a patch; members that it does not need are ignored.
  init(reading operation: JSON) throws(PatchError.Reason) {
    guard operation.kind == .object else { throw .notAnOperation }
    let members = Members(of: operation)
    guard let name = members.op else { throw .missing(member: "op") }
    guard let kind = Kind(name) else { throw .unknownOperation(name.string ?? name.text) }
    self.init(kind: kind, path: try PatchStep.path(members.path, "path"))
    switch kind {
    case .add, .replace, .test:
      guard let value = members.value else { throw .missing(member: "value") }
      self.value = value
    case .move, .copy: from = try PatchStep.path(members.from, "from")
    case .remove: break
    case .splice:
      at = try PatchStep.count(members.at, "at")
      deleted = try PatchStep.count(members.del, "del")
      guard let inserted = members.ins else { throw .missing(member: "ins") }
      guard inserted.kind == .string else { throw .wrongType(member: "ins", expected: "a string") }
      value = inserted
    }
  }

  private static func path(_ value: JSON?, _ member: String) throws(PatchError.Reason) -> Path {
    guard let value else { throw .missing(member: member) }
    guard value.kind == .string else {
      throw .wrongType(member: member, expected: "a JSON Pointer in a string")
    }
    return .text(value)
  }

  private static func count(_ value: JSON?, _ member: String) throws(PatchError.Reason) -> Int {
    guard let value else { throw .missing(member: member) }
    guard let count = value.number?.integer(Int.self), count >= 0 else {
      throw .wrongType(member: member, expected: "an integer that is not negative")
    }
    return count
  }

  /// The members of an operation, found in one walk over it.
  private struct Members {
    var op, path, from, value, at, del, ins: JSON?

    init(of operation: JSON) {
      let document = operation.document
      document.withTape { tape in
        var name = operation.place + 1
        while name < Int(tape[operation.place].next) {
          let value = JSON(document: document, place: name + 1)
          // Of repeated names the last one counts.
          switch true {
          case tape.names(name, "op"): op = value
          case tape.names(name, "path"): path = value
          case tape.names(name, "value"): self.value = value
          case tape.names(name, "from"): from = value
          case tape.names(name, "at"): at = value
          case tape.names(name, "del"): del = value
          case tape.names(name, "ins"): ins = value
          default: break
          }
          name = Int(tape[name + 1].next)
        }
      }
    }
  }
}

extension PatchStep.Kind {
  fileprivate init?(_ name: JSON) {
    let found = name.document.withTape { tape in
      PatchStep.Kind.allCases.first { tape.names(name.place, $0.word) }
    }
    guard name.kind == .string, let found else { return nil }
    self = found
  }

  private var word: StaticString {
    switch self {
    case .add: "add"
    case .remove: "remove"
    case .replace: "replace"
    case .move: "move"
    case .copy: "copy"
    case .test: "test"
    case .splice: "splice"
    }
  }
}

extension JSONTape {
  /// Whether a string on the tape is that ASCII word.
  @inline(__always)
  fileprivate func names(_ string: Int, _ word: StaticString) -> Bool {
    let node = self[string]
    guard !node.has(JSONNode.escaped) else {
      return unsafe JSONString.decoded(content(string), escaped: true) == word.description
    }
    guard Int(node.end &- node.start) == word.utf8CodeUnitCount &+ 2 else { return false }
    return word.withUTF8Buffer { unsafe content(string).equals(UnsafeRawBufferPointer($0)) }
  }
}
