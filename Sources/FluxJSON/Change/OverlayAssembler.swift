/// Copies a value's text and tape while replacing some of its inner values.
package struct OverlayAssembler: ~Copyable {
  private let old: JSONTape
  /// The place of the value on its tape.
  private let root: Int
  private var bytes: [UInt8] = []
  private var tape: JSONTapeBuffer
  /// The positions in the old tape and its text before which everything was copied or skipped.
  private var place: Int
  private var byte: Int
  /// The open containers that hold replaced values, by their places on both tapes.
  private var open: [(old: Int, copy: Int)] = []

  /// Creates an assembler with room for the value and its replacements.
  init(_ root: Int, _ old: JSONTape, moreBytes: Int, moreNodes: Int) {
    let node = old[root]
    self.old = old
    self.root = root
    bytes.reserveCapacity(Int(node.end - node.start) + moreBytes)
    tape = JSONTapeBuffer(capacity: Int(node.next) - root + moreNodes)
    place = root
    byte = Int(node.start)
  }

  /// Opens a container that holds replaced values.
  ///
  /// Calls of `enter` and `replace` must follow the order of the tape.
  mutating func enter(_ container: Int) {
    close(before: container)
    open.append((container, tape.count + container - place))
  }

  /// Replaces a value of the old tape by a value of another tape.
  package mutating func replace(_ value: Int, with other: Int, on new: JSONTape) {
    close(before: value)
    copy(to: value, Int(old[value].start))
    let node = new[other]
    tape.append(
      other..<Int(node.next), of: new, byteShift: bytes.count - Int(node.start))
    unsafe bytes.append(contentsOf: new.span(other))
    place = Int(old[value].next)
    byte = Int(old[value].end)
  }

  /// Copies the rest and returns the result.
  consuming func assembled() -> JSON {
    let node = old[root]
    close(before: Int(node.next))
    copy(to: Int(node.next), Int(node.end))
    return JSON(document: JSONDocument(assembled: bytes, tape: tape), place: 0)
  }

  private mutating func copy(to end: Int, _ endByte: Int) {
    tape.append(place..<end, of: old, byteShift: bytes.count - byte)
    unsafe bytes.append(contentsOf: old.bytes.slice(byte, endByte))
  }

  /// Corrects the ends of the open containers that end before a place.
  private mutating func close(before end: Int) {
    while let container = open.last, Int(old[container.old].next) <= end {
      let node = old[container.old]
      tape[container.copy].end = UInt32(truncatingIfNeeded: Int(node.end) + bytes.count - byte)
      tape[container.copy].next = UInt32(truncatingIfNeeded: Int(node.next) + tape.count - place)
      open.removeLast()
    }
  }
}
