/// Copies a value with others in the place of some inside of it, text and tape.
struct OverlayAssembler: ~Copyable {
  private let old: JSONTape
  /// The place of the value on its tape.
  private let root: Int
  private var bytes: [UInt8] = []
  private var tape: JSONTapeBuffer
  /// Up to where the old tape and its text were copied, or left out.
  private var place: Int
  private var byte: Int
  /// The containers that hold replaced values and have not ended: their places on both tapes.
  private var open: [(old: Int, copy: Int)] = []

  /// Begins with a value, and room for as much as is put into it.
  init(_ root: Int, _ old: JSONTape, moreBytes: Int, moreNodes: Int) {
    let node = old[root]
    self.old = old
    self.root = root
    bytes.reserveCapacity(Int(node.end - node.start) + moreBytes)
    tape = JSONTapeBuffer(capacity: Int(node.next) - root + moreNodes)
    place = root
    byte = Int(node.start)
  }

  /// Says that a container holds values that are replaced; in the order of the tape with those.
  mutating func enter(_ container: Int) {
    close(before: container)
    open.append((container, tape.count + container - place))
  }

  /// Puts a value of another tape in the place of one of the old tape.
  mutating func replace(_ value: Int, with other: Int, on new: JSONTape) {
    close(before: value)
    copy(to: value, Int(old[value].start))
    let node = new[other]
    tape.append(
      other..<Int(node.next), of: new, byteShift: bytes.count - Int(node.start))
    unsafe bytes.append(contentsOf: new.span(other))
    place = Int(old[value].next)
    byte = Int(old[value].end)
  }

  /// Copies what is left.
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

  /// Corrects the ends of containers that end before a place.
  private mutating func close(before end: Int) {
    while let container = open.last, Int(old[container.old].next) <= end {
      let node = old[container.old]
      tape[container.copy].end = UInt32(truncatingIfNeeded: Int(node.end) + bytes.count - byte)
      tape[container.copy].next = UInt32(truncatingIfNeeded: Int(node.next) + tape.count - place)
      open.removeLast()
    }
  }
}
