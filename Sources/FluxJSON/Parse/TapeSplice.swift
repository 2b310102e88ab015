/// The tape of a text in which some values of an earlier text are replaced.
///
/// Copies the nodes between the replaced values and shifts their offsets. The caller has the text: ``JSONRevision`` is
/// given it, and ``Overlay`` writes it. Values are replaced in the order of the text.
struct TapeSplice: ~Copyable {
  private let old: JSONTape
  private let root: Int
  private var tape: JSONTapeBuffer
  /// The nodes of the old tape before this place are copied or replaced.
  private(set) var place: Int
  /// The offset in the new text minus the offset in the old one, from `place` on.
  private var shift: Int
  /// The containers around the replaced values that may not have their ends yet.
  private var open: [(old: Int, copy: Int)] = []

  /// Begins with the value at `root`, which starts at offset 0 of the new text.
  init(_ root: Int, of old: JSONTape, moreNodes: Int) {
    (self.old, self.root, place) = (old, root, root)
    shift = -Int(old[root].start)
    open.reserveCapacity(8)
    tape = JSONTapeBuffer(capacity: Int(old[root].next) - root + moreNodes)
  }

  /// Enters a container in which a value will be replaced; its outer containers were entered before.
  mutating func enter(_ container: Int) {
    close(before: container)
    open.append((container, tape.count + container - place))
  }

  /// Replaces a value of the old tape by a value of another tape.
  mutating func replace(_ value: Int, with other: Int, of new: JSONTape) {
    close(before: value)
    let (before, after) = (old[value], new[other])
    tape.append(place..<value, of: old, byteShift: shift)
    tape.append(
      other..<Int(after.next), of: new, byteShift: Int(before.start) + shift - Int(after.start))
    shift += Int(after.end - after.start) - Int(before.end - before.start)
    place = Int(before.next)
  }

  /// Copies the rest and returns the tape.
  consuming func finished() -> JSONTapeBuffer {
    let end = Int(old[root].next)
    close(before: end)
    tape.append(place..<end, of: old, byteShift: shift)
    return tape
  }

  /// Corrects the ends of the entered containers that end before a place.
  private mutating func close(before end: Int) {
    while let container = open.last, Int(old[container.old].next) <= end {
      let node = old[container.old]
      tape[container.copy].end = UInt32(truncatingIfNeeded: Int(node.end) + shift)
      tape[container.copy].next = UInt32(truncatingIfNeeded: Int(node.next) + tape.count - place)
      open.removeLast()
    }
  }
}
