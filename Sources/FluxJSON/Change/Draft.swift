/// A value that is being changed by patches: a tree over parsed texts.
///
/// A draft lists the children only of the containers on the way to a change. Everything else stays
/// a place on a tape: the tape of the base, or of a value that a patch added. ``json()`` copies
/// that text and tape with `memcpy`, without parsing.
///
/// A draft retains the texts of its patches. It rebuilds itself when they add up to several times
/// the size of the value. After a copy, the next change copies everything listed so far.
package struct Draft: Sendable {
  /// A reference to a value: an unchanged value on a tape, or one that is spelled out.
  struct Slot: Equatable {
    var owner: UInt32
    var place: UInt32

    static let array = UInt32.max
    static let object = UInt32.max - 1
    static let text = UInt32.max - 2
    /// A removed member of an object that keeps its written order.
    static let removed = Slot(owner: .max - 3, place: 0)

    var isUntouched: Bool { owner < Slot.text - 1 }
    var index: Int { Int(place) }
  }

  /// The location of a slot.
  enum Position: Equatable {
    case root
    case element(array: Int, index: Int)
    case member(object: Int, rank: Int)
  }

  var sources: [JSONDocument]
  var arrays: [[Slot]] = []
  var objects: [DraftObject] = []
  var members: [DraftObject.Member] = []
  /// For each object that needs it, its members' positions in the order of their names.
  var rankings: [[UInt32]] = []
  var texts: [DraftText] = []
  var root: Slot
  /// The edits to undo, since the start of the current patch or since a mark.
  var journal: [Undo] = []
  /// An upper bound for the draft's text: the bytes of the base and of everything added since.
  var sizeBound: Int
  private let baseSize: Int
  /// An upper bound for the number of nodes on the draft's tape.
  var nodeBound: Int
  /// The memory of all values that were copied and moved since the draft was built.
  var copiedBytes = 0
  let copyLimit: MemoryLimit
  let maximumDepth: Int

  /// Makes a draft of a value, which patches may make neither larger by copies nor deeper than these limits.
  package init(
    _ base: JSON, copyLimit: MemoryLimit = .standard, maximumDepth: Int = JSON.maximumDepth
  ) {
    self.copyLimit = copyLimit
    self.maximumDepth = maximumDepth
    sources = [base.document]
    root = Slot(owner: 0, place: UInt32(base.place))
    baseSize = base.byteCount
    sizeBound = base.byteCount
    nodeBound = base.nodeCount
  }

  /// `true` if the draft holds much more text than its base had.
  package var isCrowded: Bool {
    sizeBound > baseSize * 4 + 1 << 20 || copiedBytes > copyLimit.byteCount / 2
  }

  /// Returns a slot for a value that is inserted elsewhere.
  ///
  /// The value's document is added as a further source. Two values of one source would count as
  /// written side by side if one begins on the tape where the other ends, also if the first is the
  /// last value of a container.
  mutating func slot(for value: JSON) -> Slot {
    sources.append(value.document)
    return Slot(owner: UInt32(sources.count - 1), place: UInt32(value.place))
  }

  /// Returns the index of a document in `sources`, and adds the document if it is not the last one.
  mutating func owner(of document: JSONDocument) -> UInt32 {
    if sources[sources.count - 1] !== document { sources.append(document) }
    return UInt32(sources.count - 1)
  }

  subscript(_ position: Position) -> Slot {
    get {
      switch position {
      case .root: root
      case .element(let array, let index): arrays[array][index]
      case .member(let object, let rank):
        members[self.position(ofRank: rank, in: objects[object])].value
      }
    }
    set {
      switch position {
      case .root: root = newValue
      case .element(let array, let index): arrays[array][index] = newValue
      case .member(let object, let rank):
        members[self.position(ofRank: rank, in: objects[object])].value = newValue
      }
    }
  }

  func kind(_ slot: Slot) -> JSON.Kind {
    switch slot.owner {
    case Slot.array: .array
    case Slot.object: .object
    case Slot.text: .string
    default: sources[Int(slot.owner)].withTape { $0[slot.index].kind }
    }
  }

  /// Spells out the container at a position, one level deep, and returns its new slot.
  mutating func spellOut(_ position: Position) -> Slot {
    let slot = self[position]
    guard slot.isUntouched else { return slot }
    var spelledOut = slot
    switch kind(slot) {
    case .array:
      spelledOut = Slot(owner: Slot.array, place: UInt32(arrays.count))
      arrays.append(elements(of: slot))
    case .object:
      spelledOut = Slot(owner: Slot.object, place: UInt32(objects.count))
      sources[Int(slot.owner)].withTape { appendObject(slot, on: $0) }
    case .null, .bool, .number, .string: return slot
    }
    self[position] = spelledOut
    return spelledOut
  }

  private func elements(of slot: Slot) -> [Slot] {
    sources[Int(slot.owner)].withTape { tape in
      let node = tape[slot.index]
      var elements: [Slot] = []
      elements.reserveCapacity(Int(node.storedCount))
      var place = slot.index + 1
      while place < Int(node.next) {
        elements.append(Slot(owner: slot.owner, place: UInt32(truncatingIfNeeded: place)))
        place = Int(tape[place].next)
      }
      return elements
    }
  }

  /// The information needed to undo one edit.
  enum Undo: Sendable {
    case set(Position, Slot)
    case insertElement(array: Int, index: Int, Slot)
    case removeElement(array: Int, index: Int)
    case insertMember(object: Int, rank: Int, name: Slot, Slot)
    case removeMember(object: Int, rank: Int)
    case text(Int, [UInt8])
    case splice(text: Int, start: Int, deleted: Int, inserted: [UInt8])
  }

  mutating func replace(_ position: Position, with slot: Slot) {
    journal.append(.set(position, self[position]))
    self[position] = slot
  }

  /// Adds a value at a target: inserts an element, or adds or replaces a member.
  mutating func add(_ slot: Slot, at target: Target) {
    switch target {
    case .found(.element(let array, let index)), .newElement(let array, let index):
      journal.append(.removeElement(array: array, index: index))
      arrays[array].insert(slot, at: index)
    case .found(let position): replace(position, with: slot)
    case .newMember(let object, let rank, let name):
      let name = self.slot(for: WTF8.json(unsafe name.withBytes { unsafe [UInt8]($0) }))
      journal.append(.removeMember(object: object, rank: rank))
      insert(name, slot, into: object, at: rank)
    }
  }

  mutating func remove(_ position: Position) {
    let slot = self[position]
    switch position {
    case .root: preconditionFailure("the root is in no container")
    case .element(let array, let index):
      journal.append(.insertElement(array: array, index: index, slot))
      arrays[array].remove(at: index)
    case .member(let object, let rank):
      let name = members[self.position(ofRank: rank, in: objects[object])].name
      journal.append(.insertMember(object: object, rank: rank, name: name, slot))
      removeMember(from: object, at: rank)
    }
  }

  /// Prepares the string at a position for editing, and returns its index in `texts`.
  mutating func text(_ position: Position) -> Int {
    let slot = self[position]
    if slot.owner == Slot.text { return slot.index }
    texts.append(DraftText(WTF8.bytes(of: json(slot))))
    // The value stays the same, so there is nothing to undo.
    self[position] = Slot(owner: Slot.text, place: UInt32(texts.count - 1))
    return texts.count - 1
  }

  mutating func splice(_ text: Int, start: Int, deleted: Int, inserted: [UInt8]) {
    // An edit may join two halves of a surrogate pair. Its place and length would not suffice to
    // undo that, so the journal keeps the whole text. Such texts are rare.
    guard !texts[text].hasSurrogates, !WTF8.hasSurrogates(inserted) else {
      journal.append(.text(text, texts[text].text))
      _ = texts[text].splice(at: start, deleted: deleted, inserted: inserted)
      _ = texts[text].joinSurrogates(at: start + WTF8.count(inserted))
      _ = texts[text].joinSurrogates(at: start)
      return
    }
    let removed = texts[text].splice(at: start, deleted: deleted, inserted: inserted)
    journal.append(
      .splice(text: text, start: start, deleted: WTF8.count(inserted), inserted: removed))
  }

  package struct Mark: Sendable {
    fileprivate let journalCount: Int
    fileprivate let sizeBound: Int
    fileprivate let nodeBound: Int
    fileprivate let copiedBytes: Int
  }

  /// A mark of the current state.
  ///
  /// The mark is valid until the draft is rewound to an earlier one. Applying a whole patch clears
  /// the journal and also invalidates the mark.
  package var mark: Mark {
    Mark(
      journalCount: journal.count, sizeBound: sizeBound, nodeBound: nodeBound,
      copiedBytes: copiedBytes)
  }

  /// Undoes all edits since a mark, the last edit first.
  package mutating func rewind(to mark: Mark) {
    while journal.count > mark.journalCount, let undo = journal.popLast() { takeBack(undo) }
    sizeBound = mark.sizeBound
    nodeBound = mark.nodeBound
    copiedBytes = mark.copiedBytes
  }

  private mutating func takeBack(_ undo: Undo) {
    switch undo {
    case .set(let position, let slot): self[position] = slot
    case .insertElement(let array, let index, let slot): arrays[array].insert(slot, at: index)
    case .removeElement(let array, let index): arrays[array].remove(at: index)
    case .insertMember(let object, let rank, let name, let slot):
      insert(name, slot, into: object, at: rank)
    case .removeMember(let object, let rank): removeMember(from: object, at: rank)
    case .text(let text, let former): texts[text] = DraftText(former)
    case .splice(let text, let start, let deleted, let inserted):
      _ = texts[text].splice(at: start, deleted: deleted, inserted: inserted)
    }
  }
}
