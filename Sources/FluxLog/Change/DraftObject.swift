/// The members of an object that is being changed.
///
/// An object whose names are sorted on the tape, as those of every state in a log are, stays
/// sorted: a member's rank is its position. Any other keeps its written order, new members at the
/// end, and has the ranks of its names beside it.
struct DraftObject: Sendable {
  private var names: [Draft.Slot] = []
  private var values: [Draft.Slot] = []
  /// The positions of the members in the order of their names; nil where that is the order they
  /// are in.
  private var ranks: [UInt32]?

  /// Lists the members of an object on a tape; of repeated names the last one counts.
  init(_ slot: Draft.Slot, on tape: JSONTape) {
    let node = tape[slot.index]
    names.reserveCapacity(Int(node.storedCount))
    values.reserveCapacity(Int(node.storedCount))
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
    names.append(Draft.Slot(owner: owner, place: UInt32(truncatingIfNeeded: name)))
    values.append(Draft.Slot(owner: owner, place: UInt32(truncatingIfNeeded: name + 1)))
  }

  /// The number of members.
  var count: Int { ranks?.count ?? names.count }

  /// Whether the members are in the order of their names.
  var isSorted: Bool { ranks == nil }

  /// The positions that may hold members, in the order in which they are written.
  var positions: Range<Int> { names.indices }

  /// The member at a position; nil where it was removed.
  func member(at position: Int) -> (name: Draft.Slot, value: Draft.Slot)? {
    values[position] == .removed ? nil : (names[position], values[position])
  }

  private func position(_ rank: Int) -> Int {
    ranks.map { Int($0[rank]) } ?? rank
  }

  func name(at rank: Int) -> Draft.Slot { names[position(rank)] }

  func value(at rank: Int) -> Draft.Slot { values[position(rank)] }

  mutating func setValue(_ value: Draft.Slot, at rank: Int) {
    values[position(rank)] = value
  }

  mutating func insert(_ name: Draft.Slot, _ value: Draft.Slot, at rank: Int) {
    guard ranks != nil else {
      names.insert(name, at: rank)
      values.insert(value, at: rank)
      return
    }
    ranks?.insert(UInt32(names.count), at: rank)
    names.append(name)
    values.append(value)
  }

  mutating func remove(at rank: Int) {
    guard ranks != nil else {
      names.remove(at: rank)
      values.remove(at: rank)
      return
    }
    values[position(rank)] = .removed
    ranks?.remove(at: rank)
  }

  /// Looks for a member: its rank, or the one that it would have.
  func find(_ token: PointerToken, sources: [JSONDocument]) -> (rank: Int, exists: Bool) {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      let name = name(at: middle)
      let order = sources[Int(name.owner)].withTape { token.order(name.index, on: $0) }
      if order == 0 { return (middle, true) }
      if order < 0 { high = middle } else { low = middle + 1 }
    }
    return (low, false)
  }
}
