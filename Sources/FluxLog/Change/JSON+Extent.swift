extension JSON {
  /// The length of the text, in bytes.
  package var byteCount: Int {
    let node = node
    return Int(node.end - node.start)
  }

  /// How many arrays and objects are inside each other, this one included; 0 for a scalar.
  package var depth: Int { document.withTape { $0.depth(of: place) } }

  /// The members by their names in WTF-8, sorted; of repeated names the last one.
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

  /// The number of values and names, this one included.
  var nodeCount: Int { Int(node.next) - place }
}
