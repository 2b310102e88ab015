/// An operation of a patch: the places of its members on the patch's tape.
struct PatchStep {
  /// The operations, with their names in RFC 6902 and docs/log-format.md.
  enum Kind: String, CaseIterable {
    case add, remove, replace, move, copy, test, splice
  }

  let kind: Kind
  let path: Int
  /// The source of a `move` or `copy`.
  var from: Int
  var value: Int
  var at = 0
  var deleted = 0

  /// Reads an operation and checks that it has all required members.
  init(reading operation: Int, on tape: JSONTape) throws(PatchError.Reason) {
    guard tape[operation].kind == .object else { throw .notAnOperation }
    let name = try tape.member("op", of: operation)
    guard let kind = PatchStep.Kind(name, on: tape) else {
      throw .unknownOperation(unsafe WTF8.string(tape.span(name)))
    }
    self.kind = kind
    path = try tape.string("path", of: operation)
    from = path
    value = path
    switch kind {
    case .add, .replace, .test: value = try tape.member("value", of: operation)
    case .move, .copy: from = try tape.string("from", of: operation)
    case .remove: break
    case .splice:
      at = try tape.count("at", of: operation)
      deleted = try tape.count("del", of: operation)
      value = try tape.string("ins", of: operation)
    }
  }
}

extension PatchStep.Kind {
  /// The names as ``JSONBytes/shortWord`` reads them; a seek reads one for each patch.
  private static let words = allCases.map { kind in
    kind.rawValue.utf8.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }

  fileprivate init?(_ name: Int, on tape: JSONTape) {
    guard tape[name].kind == .string else { return nil }
    let text = unsafe JSONBytes(tape.content(name))
    if tape[name].has(JSONNode.escaped) {
      self.init(rawValue: tape.string(name))
    } else if text.count < 8, let index = Self.words.firstIndex(of: text.shortWord) {
      self = Self.allCases[index]
    } else {
      return nil
    }
  }
}

extension JSONTape {
  /// Returns the place of an operation's member; the last of several equal names counts.
  fileprivate func member(
    _ name: StaticString, of operation: Int
  ) throws(PatchError.Reason) -> Int {
    let place = name.withUTF8Buffer { name in
      unsafe findByWalking(operation, UnsafeRawBufferPointer(name))
    }
    guard let place else { throw .missing(member: name.description) }
    return place
  }

  fileprivate func string(
    _ name: StaticString, of operation: Int
  ) throws(PatchError.Reason) -> Int {
    let place = try member(name, of: operation)
    guard self[place].kind == .string else {
      throw .wrongType(member: name.description, expected: "a string")
    }
    return place
  }

  fileprivate func count(
    _ name: StaticString, of operation: Int
  ) throws(PatchError.Reason) -> Int {
    let place = try member(name, of: operation)
    guard self[place].kind == .number,
      let count = unsafe JSONDecimal(span(place)).integer() as Int?, count >= 0
    else {
      throw .wrongType(member: name.description, expected: "an integer that is not negative")
    }
    return count
  }
}
