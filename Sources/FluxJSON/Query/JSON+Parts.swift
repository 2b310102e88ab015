extension JSON {
  /// A member of an object or an element of an array, with the step that leads to it.
  package struct Part: Sendable {
    package let step: Location.Element
    package let value: JSON
  }

  /// The members of an object or the elements of an array, in order; none for a scalar.
  ///
  /// Each view of a value lists its parts with this: terminal, screen, page and editor. ``JSONWriter/rewrite(_:_:)``
  /// writes a value with other parts.
  package var parts: Parts {
    Parts(members: members.makeIterator(), elements: elements.makeIterator())
  }

  /// The parts of a value; see ``JSON/parts``.
  package struct Parts: Sequence, IteratorProtocol {
    fileprivate var members: Members.Iterator
    fileprivate var elements: Elements.Iterator
    fileprivate var index = 0

    package mutating func next() -> Part? {
      if let member = members.next() { return Part(step: .name(member.name), value: member.value) }
      guard let element = elements.next() else { return nil }
      defer { index += 1 }
      return Part(step: .index(index), value: element)
    }
  }
}

extension JSON.Part {
  /// The name of a member as JSON text if it contains a lone surrogate, which a string cannot; otherwise nil.
  fileprivate var nameWithSurrogates: String? {
    // The tape holds the name right before the value. JSON can express a lone surrogate only with an escape.
    let name = JSON(document: value.document, place: value.place - 1)
    guard name.node.has(JSONNode.escaped), WTF8.hasSurrogates(WTF8.bytes(of: name)) else {
      return nil
    }
    return name.text
  }
}

extension JSONWriter {
  /// Writes an object with the same names or an array, whose parts `write` writes; a scalar as it is.
  ///
  /// A name keeps its lone surrogates, which the step of a part cannot represent.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - write: Writes the value for a part, and nothing else.
  package mutating func rewrite(
    _ value: JSON, _ write: (JSON.Part, inout JSONWriter) throws -> Void
  ) rethrows {
    switch value.kind {
    case .object: beginObject()
    case .array: beginArray()
    case .null, .bool, .number, .string: return raw(value)
    }
    for part in value.parts {
      if case .name(let name) = part.step {
        if let text = part.nameWithSurrogates { self.name(verbatim: text) } else { self.name(name) }
      }
      try write(part, &self)
    }
    if value.kind == .object { endObject() } else { endArray() }
  }
}
