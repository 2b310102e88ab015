/// The patches of a store by several steps, read together: one text holds them all.
struct PatchRun: Sendable {
  let document: JSONDocument
  /// For each patch, where its operations stand on the tape.
  let patches: [Range<Int>]

  /// One patch, an array of operations.
  init(_ patch: JSON) {
    document = patch.document
    patches = [patch.place + 1..<Int(patch.node.next)]
  }

  /// Patches whose operations stand one after the other in one array.
  ///
  /// - Parameters:
  ///   - operations: The array.
  ///   - ends: For each patch, where its operations end in the array's text.
  init(_ operations: JSON, ends: [Int]) {
    document = operations.document
    patches = document.withTape { tape in
      var place = operations.place + 1
      let last = Int(tape[operations.place].next)
      var patches: [Range<Int>] = []
      patches.reserveCapacity(ends.count)
      for end in ends {
        let start = place
        while place < last, Int(tape[place].start) < end { place = Int(tape[place].next) }
        patches.append(start..<place)
      }
      return patches
    }
  }

  /// Roughly, in memory.
  var byteCount: Int { 160 * patches.count + JSON(document: document, place: 0).footprint }
}

extension JSON {
  /// Roughly the memory that a value takes: its text, and a node of sixteen bytes for each value.
  var footprint: Int { byteCount + 16 * nodeCount }
}
