/// A value with those of parsed patches in their places, one patch after the other.
///
/// A view: it is valid as long as the base's tape is open.
struct PatchOverlay {
  private let base: JSONTape
  private var overlay: Overlay
  /// What the patches brought, in order.
  private var values: [JSON] = []
  /// How many bytes and nodes these have.
  private var bytes = 0
  private var nodes = 0

  /// Begins with a value, whose tape is open; nil where an object in it names a member twice.
  init?(_ base: JSON, on tape: JSONTape) {
    guard let overlay = Overlay(base) else { return nil }
    self.overlay = overlay
    self.base = tape
  }

  /// Takes in a patch; false where it does anything but replace values, or cannot be applied, after
  /// which this is of no use any more.
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
        // What has no more nodes than levels are left is not deeper.
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

  /// The value with all that was taken in; nil where that is too long.
  consuming func result() -> JSON? {
    overlay.assembled(bytes: bytes, nodes: nodes, on: base) { assembler, place, number in
      values[number].document.withTape {
        assembler.replace(place, with: values[number].place, on: $0)
      }
    }
  }
}

extension JSONTape {
  /// Where the pointer of an operation stands in the text, and where its value is on the tape; nil
  /// where it is no `replace`, and where the pointer has escapes of JSON.
  fileprivate func replacement(_ operation: Int) -> (path: Range<Int>, value: Int)? {
    do throws(PatchError.Reason) {
      let places = try OperationPlaces(reading: operation, on: self)
      let path = self[places.path]
      guard places.kind == .replace, !path.has(JSONNode.escaped) else { return nil }
      return (Int(path.start) + 1..<Int(path.end) - 1, places.value)
    } catch {
      // What is wrong with it, applying it will tell.
      return nil
    }
  }
}
