import FluxJSON

/// The patches of a store in several steps, read together and kept as one text.
struct PatchRun: Sendable {
  let document: JSONDocument
  /// The place of each patch's operations on the tape.
  let patches: [Range<Int>]

  /// Makes a run of one patch, an array of operations.
  init(_ patch: JSON) {
    document = patch.document
    patches = [patch.place + 1..<Int(patch.node.next)]
  }

  /// Makes a run of patches whose operations are in one array.
  ///
  /// - Parameters:
  ///   - operations: The array.
  ///   - ends: The end of each patch's operations in the text of the array.
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

  /// The approximate memory size.
  var byteCount: Int { 160 * patches.count + JSON(document: document, place: 0).footprint }
}

extension JSON {
  /// The approximate memory size of a value: its text, and sixteen bytes for each node.
  var footprint: Int { byteCount + 16 * nodeCount }
}
