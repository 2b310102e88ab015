/// Writes a draft as one text with its tape, without parsing anything again.
///
/// Values that were adjacent in a source, and still are, get copied as one run of text and tape.
/// The assembler keeps its own stack of open containers, because a document may be 512 levels deep.
struct DraftAssembler: ~Copyable {
  private let draft: Draft
  private let root: Draft.Slot
  private var bytes: [UInt8] = []
  private var tape: JSONTapeBuffer
  private var open: [Frame] = []

  private struct Frame {
    let slot: Draft.Slot
    let place: Int
    var next = 0
    var written = 0
    var holdsRepeat = false
    var hasEscapes = false
  }

  init(_ slot: Draft.Slot, of draft: Draft) {
    root = slot
    self.draft = draft
    if slot == draft.root { bytes.reserveCapacity(draft.sizeBound) }
    tape = JSONTapeBuffer(capacity: slot == draft.root ? draft.nodeBound : 64)
  }

  consuming func assembled() -> JSON {
    write(root)
    while let last = open.popLast() {
      if last.slot.owner == Draft.Slot.array { continueArray(last) } else { continueObject(last) }
    }
    return JSON(document: JSONDocument(assembled: bytes, tape: tape), place: 0)
  }

  private mutating func write(_ slot: Draft.Slot) {
    switch slot.owner {
    case Draft.Slot.array: begin(slot, .array, "[")
    case Draft.Slot.object: begin(slot, .object, "{")
    case Draft.Slot.text: writeText(draft.texts[slot.index])
    default:
      draft.sources[Int(slot.owner)].withTape { copy($0, first: slot.index, last: slot.index) }
    }
  }

  private mutating func begin(_ slot: Draft.Slot, _ kind: JSON.Kind, _ bracket: Unicode.Scalar) {
    open.append(Frame(slot: slot, place: tape.count))
    tape.append(JSONNode(kind, start: bytes.count, end: 0, next: 0))
    bytes.append(UInt8(ascii: bracket))
  }

  private mutating func continueArray(_ frame: Frame) {
    var frame = frame
    let elements = draft.arrays[frame.slot.index]
    while frame.next < elements.count {
      if frame.next > 0 { bytes.append(UInt8(ascii: ",")) }
      let element = elements[frame.next]
      guard element.isUntouched else {
        frame.next += 1
        frame.written = frame.next
        return descend(into: element, from: frame)
      }
      var last = element
      frame.next += 1
      draft.sources[Int(element.owner)].withTape { tape in
        while frame.next < elements.count, elements[frame.next].owner == element.owner,
          elements[frame.next].place == tape[last.index].next
        {
          last = elements[frame.next]
          frame.next += 1
        }
        copy(tape, first: element.index, last: last.index, into: &frame)
      }
    }
    frame.written = elements.count
    end(frame, .array, "]", flags: 0)
  }

  private mutating func continueObject(_ frame: Frame) {
    var frame = frame
    let object = draft.objects[frame.slot.index]
    while frame.next < object.count {
      let member = draft.members[object.start + frame.next]
      frame.next += 1
      guard member.value != .removed else { continue }
      if frame.written > 0 { bytes.append(UInt8(ascii: ",")) }
      frame.written += 1
      guard member.value.isUntouched, member.isWhole else {
        copyName(member.name, into: &frame)
        guard member.value.isUntouched else { return descend(into: member.value, from: frame) }
        let value = member.value
        copy(value.owner, first: value.index, last: value.index, into: &frame)
        continue
      }
      copyMembers(from: member, of: object, into: &frame)
    }
    end(
      frame, .object, "}", flags: object.ranking == nil && !frame.hasEscapes ? JSONNode.sorted : 0)
  }

  /// Copies an unchanged member, and the ones after it that followed it on the same tape.
  private mutating func copyMembers(
    from first: DraftObject.Member, of object: DraftObject, into frame: inout Frame
  ) {
    let owner = first.name.owner
    var last = first
    draft.sources[Int(owner)].withTape { tape in
      var escapes = tape[first.name.index].info & JSONNode.escaped
      while frame.next < object.count {
        let member = draft.members[object.start + frame.next]
        guard member.name.owner == owner, member.isWhole,
          member.name.place == tape[last.value.index].next
        else { break }
        last = member
        escapes |= tape[last.name.index].info & JSONNode.escaped
        frame.next += 1
        frame.written += 1
      }
      if escapes != 0 { frame.hasEscapes = true }
      copy(tape, first: first.name.index, last: last.value.index, into: &frame)
    }
  }

  private mutating func descend(into slot: Draft.Slot, from frame: Frame) {
    open.append(frame)
    write(slot)
  }

  private mutating func end(
    _ frame: Frame, _ kind: JSON.Kind, _ bracket: Unicode.Scalar, flags: UInt32
  ) {
    bytes.append(UInt8(ascii: bracket))
    let start = Int(tape[frame.place].start)
    var node = JSONNode(kind, start: start, end: bytes.count, next: tape.count)
    node.info |= flags | min(UInt32(clamping: frame.written), JSONNode.countLimit) << 8
    if frame.holdsRepeat { node.info |= JSONNode.holdsRepeat }
    tape[frame.place] = node
    if frame.holdsRepeat, let parent = open.indices.last { open[parent].holdsRepeat = true }
  }

  // MARK: Runs

  private mutating func copy(_ owner: UInt32, first: Int, last: Int, into frame: inout Frame) {
    draft.sources[Int(owner)].withTape { copy($0, first: first, last: last, into: &frame) }
  }

  private mutating func copy(
    _ source: JSONTape, first: Int, last: Int, into frame: inout Frame
  ) {
    let start = tape.count
    copy(source, first: first, last: last)
    // Only a source that contains a repeated name needs a search for one.
    guard source[0].has(JSONNode.holdsRepeat), !frame.holdsRepeat else { return }
    frame.holdsRepeat = (start..<tape.count).contains { tape[$0].has(JSONNode.holdsRepeat) }
  }

  /// Copies the nodes of the values from `first` to `last`, and the text they span.
  private mutating func copy(_ source: JSONTape, first: Int, last: Int) {
    let start = Int(source[first].start)
    let nodes = first..<Int(source[last].next)
    tape.append(nodes, of: source, byteShift: bytes.count - start)
    unsafe bytes.append(contentsOf: source.bytes.slice(start, Int(source[last].end)))
  }

  private mutating func copyName(_ name: Draft.Slot, into frame: inout Frame) {
    draft.sources[Int(name.owner)].withTape { copy($0, first: name.index, last: name.index) }
    bytes.append(UInt8(ascii: ":"))
    if tape[tape.count - 1].has(JSONNode.escaped) { frame.hasEscapes = true }
  }

  private mutating func writeText(_ text: DraftText) {
    let start = bytes.count
    let content = text.text
    WTF8.appendJSON(content, to: &bytes)
    let isEscaped = bytes[start...].contains(UInt8(ascii: "\\"))
    tape.append(
      JSONNode(
        .string, start: start, end: bytes.count, next: tape.count + 1,
        flags: isEscaped ? JSONNode.escaped : 0))
  }
}

extension Draft {
  package func json() -> JSON { json(root) }

  /// Returns the value in a slot.
  func json(_ slot: Slot) -> JSON {
    guard !slot.isUntouched else {
      return JSON(document: sources[Int(slot.owner)], place: slot.index)
    }
    return DraftAssembler(slot, of: self).assembled()
  }
}
