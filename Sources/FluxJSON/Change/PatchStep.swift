/// One operation that is about to be applied to a draft.
struct PatchStep {
  /// The operations, with their names in RFC 6902 and docs/log-format.md.
  enum Kind: String, CaseIterable {
    case add, remove, replace, move, copy, test, splice

    var hasSource: Bool { self == .move || self == .copy }
  }

  var kind: Kind
  var path: JSONBytes
  /// The text of the source pointer of a `move` or `copy`; otherwise that of `path`.
  var from: JSONBytes
  var value: Draft.Slot = .removed
  var at = 0
  var deleted = 0
}

/// The places of an operation's members on the tape of a patch.
struct OperationPlaces {
  let kind: PatchStep.Kind
  let path: Int
  var from: Int
  var value: Int
  var at = 0
  var deleted = 0

  /// Reads an operation and checks that it has all required members.
  init(reading operation: Int, on tape: JSONTape) throws(PatchError.Reason) {
    guard tape[operation].kind == .object else { throw .notAnOperation }
    let found = Members(of: operation, on: tape)
    let name = try OperationPlaces.required(found.op, "op")
    guard let kind = PatchStep.Kind(name, on: tape) else {
      throw .unknownOperation(unsafe WTF8.string(tape.span(name)))
    }
    self.kind = kind
    path = try OperationPlaces.string(found.path, "path", on: tape)
    from = path
    value = path
    switch kind {
    case .add, .replace, .test: value = try OperationPlaces.required(found.value, "value")
    case .move, .copy: from = try OperationPlaces.string(found.from, "from", on: tape)
    case .remove: break
    case .splice:
      at = try OperationPlaces.count(found.at, "at", on: tape)
      deleted = try OperationPlaces.count(found.del, "del", on: tape)
      value = try OperationPlaces.string(found.ins, "ins", on: tape)
    }
  }

  private static func required(
    _ place: Int, _ member: String
  ) throws(PatchError.Reason) -> Int {
    guard place > 0 else { throw .missing(member: member) }
    return place
  }

  private static func string(
    _ place: Int, _ member: String, on tape: JSONTape
  ) throws(PatchError.Reason) -> Int {
    guard tape[try required(place, member)].kind == .string else {
      throw .wrongType(member: member, expected: "a string")
    }
    return place
  }

  private static func count(
    _ place: Int, _ member: String, on tape: JSONTape
  ) throws(PatchError.Reason) -> Int {
    guard tape[try required(place, member)].kind == .number,
      let count = unsafe JSONDecimal(tape.span(place)).integer() as Int?, count >= 0
    else { throw .wrongType(member: member, expected: "an integer that is not negative") }
    return count
  }

  private struct Members {
    var op = 0
    var path = 0
    var from = 0
    var value = 0
    var at = 0
    var del = 0
    var ins = 0

    init(of operation: Int, on tape: JSONTape) {
      let end = Int(tape[operation].next)
      var name = operation + 1
      while name < end {
        // The last of several equal names wins.
        switch true {
        case tape.names(name, "op"): op = name + 1
        case tape.names(name, "path"): path = name + 1
        case tape.names(name, "value"): value = name + 1
        case tape.names(name, "from"): from = name + 1
        case tape.names(name, "at"): at = name + 1
        case tape.names(name, "del"): del = name + 1
        case tape.names(name, "ins"): ins = name + 1
        default: break
        }
        name = Int(tape[name + 1].next)
      }
    }
  }
}

extension PatchStep.Kind {
  fileprivate init?(_ name: Int, on tape: JSONTape) {
    guard tape[name].kind == .string else { return nil }
    switch true {
    case tape.names(name, "replace"): self = .replace
    case tape.names(name, "add"): self = .add
    case tape.names(name, "remove"): self = .remove
    case tape.names(name, "splice"): self = .splice
    case tape.names(name, "move"): self = .move
    case tape.names(name, "copy"): self = .copy
    case tape.names(name, "test"): self = .test
    default: return nil
    }
  }
}

extension JSONTape {
  /// Returns `true` if a string on the tape equals an ASCII word.
  @inline(__always)
  fileprivate func names(_ string: Int, _ word: StaticString) -> Bool {
    let node = self[string]
    guard !node.has(JSONNode.escaped) else {
      return self.string(string) == word.description
    }
    guard Int(node.end &- node.start) == word.utf8CodeUnitCount &+ 2 else { return false }
    return word.withUTF8Buffer { unsafe content(string).equals(UnsafeRawBufferPointer($0)) }
  }
}
