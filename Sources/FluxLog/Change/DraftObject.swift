/// The members of an object that is being changed.
///
/// An object whose names are sorted on the tape, as those of every state in a log are, stays
/// sorted: a member's rank is its position. Any other keeps its written order, new members at the
/// end, and has the ranks of its names beside it.
struct DraftObject: Sendable {
  /// A name, and the value that it stands for.
  struct Member {
    let name: Draft.Slot
    var value: Draft.Slot

    /// Whether the name still stands before the value that it stood before on the tape.
    var isWhole: Bool { name.owner == value.owner && value.place == name.place + 1 }
  }

  /// The members as they are written; where order is kept, removed ones too.
  private(set) var members: [Member] = []
  /// The positions of the members in the order of their names; nil where that is the order they
  /// are in.
  private var ranks: [UInt32]?

  /// Lists the members of an object on a tape; of repeated names the last one counts.
  init(_ slot: Draft.Slot, on tape: JSONTape) {
    let node = tape[slot.index]
    members.reserveCapacity(Int(node.storedCount))
    guard !node.has(JSONNode.sorted) else {
      var name = slot.index + 1
      while name < Int(node.next) {
        append(name, slot.owner)
        name = Int(tape[name + 1].next)
      }
      return
    }
    let sorted = tape.distinctNames(slot.index)
    let written = sorted.sorted()
    for name in written { append(Int(name), slot.owner) }
    // Positions are where the places on the tape stand among each other.
    let positions = Dictionary(
      uniqueKeysWithValues: written.enumerated().map { ($0.element, UInt32($0.offset)) })
    ranks = sorted.compactMap { positions[$0] }
  }

  private mutating func append(_ name: Int, _ owner: UInt32) {
    let place = UInt32(truncatingIfNeeded: name)
    members.append(
      Member(
        name: Draft.Slot(owner: owner, place: place),
        value: Draft.Slot(owner: owner, place: place + 1)))
  }

  /// The number of members.
  var count: Int { ranks?.count ?? members.count }

  /// Whether the members are in the order of their names.
  var isSorted: Bool { ranks == nil }

  private func position(_ rank: Int) -> Int {
    ranks.map { Int($0[rank]) } ?? rank
  }

  func name(at rank: Int) -> Draft.Slot { members[position(rank)].name }

  func value(at rank: Int) -> Draft.Slot { members[position(rank)].value }

  mutating func setValue(_ value: Draft.Slot, at rank: Int) {
    members[position(rank)].value = value
  }

  mutating func insert(_ name: Draft.Slot, _ value: Draft.Slot, at rank: Int) {
    let member = Member(name: name, value: value)
    guard ranks != nil else { return members.insert(member, at: rank) }
    ranks?.insert(UInt32(members.count), at: rank)
    members.append(member)
  }

  mutating func remove(at rank: Int) {
    guard ranks != nil else {
      members.remove(at: rank)
      return
    }
    members[position(rank)].value = .removed
    ranks?.remove(at: rank)
  }

  /// Looks for a member: its rank, or the one that it would have.
  func find(_ token: PointerToken, sources: [JSONDocument]) -> (rank: Int, exists: Bool) {
    var search = Search(low: 0, high: count)
    while search.low < search.high {
      // Names next to each other are mostly on one tape, which is then opened only once.
      let owner = name(at: search.middle).owner
      sources[Int(owner)].withTape { narrow(&search, token, owner, on: $0) }
    }
    return (search.low, search.exists)
  }

  /// A bisection among the ranks.
  private struct Search {
    var low: Int
    var high: Int
    var exists = false
    var middle: Int { (low + high) / 2 }
  }

  private func narrow(
    _ search: inout Search, _ token: PointerToken, _ owner: UInt32, on tape: JSONTape
  ) {
    while search.low < search.high {
      let middle = search.middle
      let name = name(at: middle)
      guard name.owner == owner else { return }
      let order = token.order(name.index, on: tape)
      if order == 0 {
        search = Search(low: middle, high: middle, exists: true)
      } else if order < 0 {
        search.high = middle
      } else {
        search.low = middle + 1
      }
    }
  }
}
