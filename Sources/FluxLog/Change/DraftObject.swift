/// An object that is being changed: a range of the draft's members.
///
/// All members of all objects are in one array, which saves an allocation and the counting of
/// references for each object: that halved the time that a run of patches takes.
struct DraftObject {
  /// A name, and the value that it stands for.
  struct Member: Sendable {
    let name: Draft.Slot
    var value: Draft.Slot

    /// Whether the name still stands before the value that it stood before on the tape.
    var isWhole: Bool { name.owner == value.owner && value.place == name.place + 1 }
  }

  /// Where the members begin.
  var start: Int
  /// The members as they are written; where the written order is kept, removed ones too.
  var count: Int
  /// The members that there is room for.
  var capacity: Int
  /// An index into the draft's `rankings` where the members are not in the order of their names.
  ///
  /// An object whose names are sorted on the tape, as those of every state in a log are, stays
  /// sorted, and a member's rank is its position. Any other keeps its written order, new members
  /// at the end, and has the positions of its members in the order of their names beside it.
  var ranking: Int?

  var positions: Range<Int> { start..<(start + count) }
}

extension Draft {
  /// Lists the members of an object on a tape; of repeated names the last one counts.
  mutating func appendObject(_ slot: Slot, on tape: JSONTape) {
    let node = tape[slot.index]
    var object = DraftObject(start: members.count, count: 0, capacity: 0, ranking: nil)
    if node.has(JSONNode.sorted) {
      var name = slot.index + 1
      while name < Int(node.next) {
        appendMember(name, slot.owner)
        name = Int(tape[name + 1].next)
      }
    } else {
      let sorted = tape.distinctNames(slot.index)
      let written = sorted.sorted()
      for name in written { appendMember(Int(name), slot.owner) }
      // Positions are where the places on the tape stand among each other.
      let positions = Dictionary(
        uniqueKeysWithValues: written.enumerated().map { ($0.element, UInt32($0.offset)) })
      object.ranking = rankings.count
      rankings.append(sorted.compactMap { positions[$0] })
    }
    object.count = members.count - object.start
    object.capacity = object.count
    objects.append(object)
  }

  private mutating func appendMember(_ name: Int, _ owner: UInt32) {
    let place = UInt32(truncatingIfNeeded: name)
    members.append(
      DraftObject.Member(
        name: Slot(owner: owner, place: place), value: Slot(owner: owner, place: place + 1)))
  }

  /// Where the member of a rank stands among all members.
  func position(ofRank rank: Int, in object: DraftObject) -> Int {
    object.start + (object.ranking.map { Int(rankings[$0][rank]) } ?? rank)
  }

  mutating func insert(_ name: Slot, _ value: Slot, into index: Int, at rank: Int) {
    let member = DraftObject.Member(name: name, value: value)
    if objects[index].count == objects[index].capacity { makeRoom(in: index) }
    let object = objects[index]
    objects[index].count += 1
    var place = object.positions.upperBound
    if let ranking = object.ranking {
      rankings[ranking].insert(UInt32(object.count), at: rank)
    } else {
      while place > object.start + rank {
        members[place] = members[place - 1]
        place -= 1
      }
    }
    members[place] = member
  }

  /// Moves an object's members to the end, with room for as many again.
  private mutating func makeRoom(in index: Int) {
    let object = objects[index]
    objects[index].start = members.count
    objects[index].capacity = max(4, 2 * object.count)
    members.reserveCapacity(members.count + objects[index].capacity)
    for place in object.positions { members.append(members[place]) }
    let nothing = DraftObject.Member(name: .removed, value: .removed)
    for _ in object.count..<objects[index].capacity { members.append(nothing) }
  }

  mutating func removeMember(from index: Int, at rank: Int) {
    let object = objects[index]
    let position = position(ofRank: rank, in: object)
    if let ranking = object.ranking {
      members[position].value = .removed
      rankings[ranking].remove(at: rank)
      return
    }
    for place in position..<(object.positions.upperBound - 1) {
      members[place] = members[place + 1]
    }
    objects[index].count -= 1
  }

  /// Looks for a member: its rank, or the one that it would have.
  func find(_ token: PointerToken, in object: DraftObject) -> (rank: Int, exists: Bool) {
    let count = object.ranking.map { rankings[$0].count } ?? object.count
    var search = Search(low: 0, high: count)
    while search.low < search.high {
      // Names next to each other are mostly on one tape, which is then opened only once.
      let owner = members[position(ofRank: search.middle, in: object)].name.owner
      sources[Int(owner)].withTape { narrow(&search, token, object, owner, on: $0) }
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
    _ search: inout Search, _ token: PointerToken, _ object: DraftObject, _ owner: UInt32,
    on tape: JSONTape
  ) {
    let prefix = token.prefix
    while search.low < search.high {
      let middle = search.middle
      let name = members[position(ofRank: middle, in: object)].name
      guard name.owner == owner else { return }
      let order = token.order(name.index, on: tape, prefix: prefix)
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
