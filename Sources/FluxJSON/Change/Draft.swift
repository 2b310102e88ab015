/// A value that is being changed by patches.
///
/// A draft is a tree over parsed texts. It spells out only the containers on the way to a change,
/// which means that it lists their children. Everything else stays a place on a tape: the tape of
/// the base, or of a value that a patch added.
///
/// Creating a draft costs nothing. The first change in a container lists its children once, at
/// some nanoseconds each. After that, a change costs its pointer's tokens and a binary search for
/// each object on the way. It also moves the following machine words if an array or object grows
/// or shrinks. A `splice` costs the distance to the previous one in the same string.
/// ``value(at:)`` walks the path. ``json()`` copies unchanged text and tape with `memcpy`, without
/// parsing: 142 KB take about as long as reading five to ten patches.
///
/// A draft retains the texts of its patches. When they add up to several times the size of the
/// value, the draft rebuilds itself from its current value. You can keep a draft for as long as
/// you follow a log.
///
/// A draft has value semantics. After a copy, the next change of either draft costs as much as
/// everything spelled out so far.
package struct Draft: Sendable {
  /// A reference to a value: an unchanged value on a tape, or one that is spelled out.
  struct Slot: Equatable {
    /// An index into `sources`, or one of the marks below.
    var owner: UInt32
    /// A place on the source's tape, or an index into the array that the mark stands for.
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
  /// The members of all objects.
  var members: [DraftObject.Member] = []
  /// For each object that needs it, its members' positions in the order of their names.
  var rankings: [[UInt32]] = []
  var texts: [DraftText] = []
  var root: Slot
  /// The edits to undo, since the start of the current patch or since a mark.
  var journal: [Undo] = []
  /// An upper bound for the draft's text: the bytes of the base and of everything added since.
  var sizeBound: Int
  /// The bytes of the base.
  private let settledSize: Int
  /// An upper bound for the number of nodes on the draft's tape.
  var nodeBound: Int
  /// The bytes that operations have copied within the draft.
  var copiedBytes = 0

  /// Creates a draft of a value; the value itself does not change.
  package init(_ base: JSON) {
    sources = [base.document]
    root = Slot(owner: 0, place: UInt32(base.place))
    settledSize = base.byteCount
    sizeBound = base.byteCount
    nodeBound = base.nodeCount
  }

  /// `true` if the draft holds much more text than its base had.
  package var isCrowded: Bool { sizeBound > settledSize * 4 + 1 << 20 }

  /// Rebuilds the draft from its current value if it holds much more text than its base had.
  ///
  /// This costs as much as `json()`. It happens only after patches added at least three times the
  /// size of the base.
  mutating func settle() {
    guard isCrowded else { return }
    let copiedBytes = copiedBytes
    self = Draft(json())
    self.copiedBytes = copiedBytes
  }

  /// Returns a slot for an unchanged value.
  mutating func slot(for value: JSON) -> Slot {
    Slot(owner: owner(of: value.document), place: UInt32(value.place))
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

  /// Returns the kind of the value in a slot.
  func kind(_ slot: Slot) -> JSON.Kind {
    switch slot.owner {
    case Slot.array: .array
    case Slot.object: .object
    case Slot.text: .string
    default: sources[Int(slot.owner)].withTape { $0[slot.index].kind }
    }
  }

  /// Spells out the container at a position, one level deep, and returns its new slot.
  ///
  /// Returns the existing slot for a scalar, and for a container that is already spelled out.
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
