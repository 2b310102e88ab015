/// An object that is being changed, stored as a range of the draft's members.
///
/// One array holds the members of all objects. That saves an allocation and reference counting for
/// each object, and halved the time that a run of patches takes.
struct DraftObject {
  /// A member's name and value.
  struct Member: Sendable {
    let name: Draft.Slot
    var value: Draft.Slot

    /// `true` if the name is still followed by the value that follows it on the tape.
    var isWhole: Bool { name.owner == value.owner && value.place == name.place + 1 }
  }

  /// The index of the first member.
  var start: Int
  /// The number of members, including removed ones if the object has a ranking.
  var count: Int
  /// The number of members that fit before they must move.
  var capacity: Int
  /// An index into the draft's `rankings`; nil if the members are sorted by name.
  ///
  /// An object whose names are sorted on its tape stays sorted, and the rank of a member is its
  /// position. This is the case for all states in a log. Any other object keeps its written order,
  /// with new members at the end. Its ranking lists the positions in the order of the names.
  var ranking: Int?

  var positions: Range<Int> { start..<(start + count) }
}

extension Draft {
  /// Adds an object from a tape to the draft; the last of several equal names wins.
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
      // A member's position is its rank among the places on the tape.
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

  /// Returns the index, in the draft's members, of the member with the given rank.
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

  /// Moves an object's members to the end of the array, and doubles their space.
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

  /// Finds a member by name, and returns its rank, or the rank at which to insert it.
  func find(_ token: PointerToken, in object: DraftObject) -> (rank: Int, exists: Bool) {
    let count = object.ranking.map { rankings[$0].count } ?? object.count
    var search = Search(low: 0, high: count)
    while search.low < search.high {
      // Adjacent names are usually on the same tape, so each run of them opens it only once.
      let owner = members[position(ofRank: search.middle, in: object)].name.owner
      sources[Int(owner)].withTape { narrow(&search, token, object, owner, on: $0) }
    }
    return (search.low, search.exists)
  }

  /// The state of a binary search over ranks.
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
