/// A value that is being changed: what patches are applied to.
///
/// A tree over parsed texts in which only the containers on the way to a change are spelled out.
/// All else stays a place on some tape: the base's, or that of a value which a patch brought.
///
/// Costs. To make one: nothing. The first change below a container lists its children once (some
/// nanoseconds each); after that a change costs its pointer's tokens, a bisection for each object
/// on the way, and a move of the machine words behind it where an array or object grows or
/// shrinks. A `splice` costs the distance to the previous one in the same string. ``value(at:)``
/// costs a walk. ``json()`` copies what did not change with `memcpy` and its tape with it,
/// without parsing again: 142 KB take about as long as five to ten patches to read.
///
/// A draft keeps the texts of the patches alive that it was given. When they add up to several
/// times the value's own, it puts the value together and goes on from there, so that it can be
/// kept for as long as a log is followed.
///
/// A draft is a value: a copy is independent of the original, and costs as much as what was
/// spelled out when one of the two is next changed.
struct Draft: Sendable {
  /// What stands in the place of a value: an untouched value on a tape, or one spelled out.
  struct Slot: Equatable {
    /// An index into `sources`, or one of the marks below.
    var owner: UInt32
    /// A place on the tape of the source, or an index into what the mark stands for.
    var place: UInt32

    static let array = UInt32.max
    static let object = UInt32.max - 1
    static let text = UInt32.max - 2
    /// A member that was removed from an object that keeps the written order.
    static let removed = Slot(owner: .max - 3, place: 0)

    var isUntouched: Bool { owner < Slot.text - 1 }
    var index: Int { Int(place) }
  }

  /// Where a slot is kept.
  enum Position: Equatable {
    case root
    case element(array: Int, index: Int)
    case member(object: Int, rank: Int)
  }

  var sources: [JSONDocument]
  var arrays: [[Slot]] = []
  var objects: [DraftObject] = []
  /// The members of all objects.
  var members: [DraftObject.Member] = []
  /// The members' positions in the order of their names, of objects that need it.
  var rankings: [[UInt32]] = []
  var texts: [DraftText] = []
  var root: Slot
  /// How to take back what was done, by one patch or by those since a mark.
  var journal: [Undo] = []
  /// No text of this draft can be longer: the bytes of the base and of all that was added since.
  var sizeBound: Int
  /// The bytes of the base.
  private let settledSize: Int
  /// No tape of this draft can be longer.
  var nodeBound: Int
  /// The bytes that operations have copied from one place of the draft to another.
  var copiedBytes = 0

  /// Starts from a value, which is not changed.
  init(_ base: JSON) {
    sources = [base.document]
    root = Slot(owner: 0, place: UInt32(base.place))
    settledSize = base.byteCount
    sizeBound = base.byteCount
    nodeBound = base.nodeCount
  }

  /// Whether what was given to the draft is much more than the value needs.
  var isCrowded: Bool { sizeBound > settledSize * 4 + 1 << 20 }

  /// Goes on from the value as it is now, where what was given to the draft has become much more
  /// than that needs.
  ///
  /// Takes as long as `json()`, after that many bytes at least.
  mutating func settle() {
    guard isCrowded else { return }
    let copiedBytes = copiedBytes
    self = Draft(json())
    self.copiedBytes = copiedBytes
  }

  /// The slot that holds a value as it is.
  mutating func slot(for value: JSON) -> Slot {
    Slot(owner: owner(of: value.document), place: UInt32(value.place))
  }

  /// The index of a document among the sources, to which it is added.
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

  /// The kind of the value in a slot.
  func kind(_ slot: Slot) -> JSON.Kind {
    switch slot.owner {
    case Slot.array: .array
    case Slot.object: .object
    case Slot.text: .string
    default: sources[Int(slot.owner)].withTape { $0[slot.index].kind }
    }
  }

  /// Spells out the container at a position, one level of it, and returns its new slot; a
  /// container that is spelled out already, and a scalar, as they are.
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
}
