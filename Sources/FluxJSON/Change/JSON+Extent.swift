extension JSON {
  /// The length of the text in bytes.
  package var byteCount: Int {
    let node = node
    return Int(node.end - node.start)
  }

  /// The number of nested arrays and objects, including this one; 0 for a scalar.
  package var depth: Int { document.withTape { $0.depth(of: place) } }

  /// The members with their names in WTF-8, sorted by name.
  ///
  /// The last of several equal names wins.
  var exactMembers: [(name: [UInt8], value: JSON)] {
    guard kind == .object else { return [] }
    return document.withTape { tape in
      tape.distinctNames(place).map { name in
        let name = Int(name)
        let isEscaped = tape[name].has(JSONNode.escaped)
        return (
          unsafe WTF8.bytes(of: tape.content(name), isEscaped: isEscaped),
          JSON(document: document, place: name + 1)
        )
      }
    }
  }

  /// The number of nodes on the tape: values and member names, including this value.
  package var nodeCount: Int { Int(node.next) - place }
}
