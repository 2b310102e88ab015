/// An overlay of a value, built from parsed patches that only replace values.
///
/// It is a view: it is valid while the base's tape is open.
struct PatchOverlay {
  private let base: JSONTape
  private var overlay: Overlay
  /// The replacement values, in order.
  private var values: [JSON] = []
  /// The total bytes and nodes of the replacement values.
  private var bytes = 0
  private var nodes = 0

  /// Creates an overlay of a value whose tape is open; nil if an object in it repeats a name.
  init?(_ base: JSON, on tape: JSONTape) {
    guard let overlay = Overlay(base) else { return nil }
    self.overlay = overlay
    self.base = tape
  }

  /// Adds a patch.
  ///
  /// - Returns: `false` if the patch has an operation other than `replace`, or the overlay does not
  ///   support it. The overlay is unusable after that.
  mutating func take(_ patch: JSON) -> Bool {
    patch.document.withTape { tape in
      guard tape[patch.place].kind == .array else { return false }
      var operation = patch.place + 1
      while operation < Int(tape[patch.place].next) {
        guard let (path, value) = tape.replacement(operation),
          overlay.replace(at: path, of: tape.bytes, on: base)
        else { return false }
        let node = tape[value]
        let nodeCount = Int(node.next) - value
        // A value with no more nodes than there are levels left cannot nest too deep.
        guard !node.has(JSONNode.holdsRepeat), nodeCount <= JSON.maximumDepth - overlay.depth else {
          return false
        }
        bytes += Int(node.end - node.start)
        nodes += nodeCount
        values.append(JSON(document: patch.document, place: value))
        operation = Int(tape[operation].next)
      }
      return true
    }
  }

  /// Returns the value with all patches applied; nil if it could be too long.
  consuming func result() -> JSON? {
    overlay.assembled(bytes: bytes, nodes: nodes, on: base) { assembler, place, number in
      values[number].document.withTape {
        assembler.replace(place, with: values[number].place, on: $0)
      }
    }
  }
}

extension JSONTape {
  /// Returns the range of an operation's pointer in the text, and the place of its value.
  ///
  /// Returns nil if the operation is invalid, is no `replace`, or its pointer has JSON escapes.
  fileprivate func replacement(_ operation: Int) -> (path: Range<Int>, value: Int)? {
    do throws(PatchError.Reason) {
      let places = try OperationPlaces(reading: operation, on: self)
      let path = self[places.path]
      guard places.kind == .replace, !path.has(JSONNode.escaped) else { return nil }
      return (Int(path.start) + 1..<Int(path.end) - 1, places.value)
    } catch {
      // Applying the patch to a draft reports the error.
      return nil
    }
  }
}
