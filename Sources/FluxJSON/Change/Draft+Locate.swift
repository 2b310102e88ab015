extension Draft {
  /// The target of a pointer: an existing value, or a place to add one.
  ///
  /// It is a view: it is valid while the bytes of the pointer are.
  enum Target {
    case found(Position)
    /// The place after an array's last element; `index` is the number of elements.
    case newElement(array: Int, index: Int)
    case newMember(object: Int, rank: Int, name: PointerToken)
  }

  mutating func locate(_ path: JSONBytes) throws(PointerError.Reason) -> Target {
    var tokens = PointerTokens(path)
    if let fault = tokens.fault { throw fault }
    var position = Position.root
    while true {
      let parent = tokens
      guard let token = tokens.next() else { return .found(position) }
      let slot = spellOut(position)
      let target = try child(token, of: slot, parent: parent)
      switch target {
      case .found(let child): position = child
      case .newElement(_, let index):
        guard !tokens.isAtEnd else { return target }
        throw .noElement(token: token.string, count: index, parent: parent.readSoFar)
      case .newMember:
        guard !tokens.isAtEnd else { return target }
        throw .noMember(name: token.string, parent: parent.readSoFar)
      }
    }
  }

  private func child(
    _ token: PointerToken, of slot: Slot, parent: PointerTokens
  ) throws(PointerError.Reason) -> Target {
    switch slot.owner {
    case Slot.array:
      let count = arrays[slot.index].count
      if token.isEnd { return .newElement(array: slot.index, index: count) }
      guard let index = token.index else {
        throw .notAnIndex(token: token.string, parent: parent.readSoFar)
      }
      if index < count {
        return .found(.element(array: slot.index, index: index))
      }
      guard index == count else {
        throw .noElement(token: token.string, count: count, parent: parent.readSoFar)
      }
      return .newElement(array: slot.index, index: count)
    case Slot.object:
      let (rank, exists) = find(token, in: objects[slot.index])
      if exists { return .found(.member(object: slot.index, rank: rank)) }
      return .newMember(object: slot.index, rank: rank, name: token)
    default: throw .scalar(kind(slot), parent: parent.readSoFar)
    }
  }

  /// Returns the value at a pointer.
  package func value(at pointer: Pointer) throws(PointerError) -> JSON {
    do throws(PointerError.Reason) {
      return json(try slot(at: pointer))
    } catch {
      throw PointerError(pointer: pointer.description, reason: error)
    }
  }

  func slot(at pointer: Pointer) throws(PointerError.Reason) -> Slot {
    try pointer.bytes.withView { (bytes) throws(PointerError.Reason) in try slot(at: bytes) }
  }

  /// `true` if a text is a pointer to a value.
  package func has(_ pointer: JSONBytes) -> Bool {
    do throws(PointerError.Reason) {
      guard PointerTokens(pointer).fault == nil else { return false }
      _ = try slot(at: pointer)
      return true
    } catch {
      return false
    }
  }

  /// Returns the slot of the value at a pointer without spelling out any containers.
  func slot(at path: JSONBytes) throws(PointerError.Reason) -> Slot {
    var tokens = PointerTokens(path)
    var slot = root
    while true {
      let parent = tokens
      guard let token = tokens.next() else { return slot }
      if slot.isUntouched {
        let document = sources[Int(slot.owner)]
        let place = try document.withTape { (tape) throws(PointerError.Reason) in
          try tape.child(token, of: slot.index, parent: parent)
        }
        slot.place = UInt32(place)
        continue
      }
      switch try child(token, of: slot, parent: parent) {
      case .found(let position): slot = self[position]
      case .newElement(_, let count):
        throw .noElement(token: token.string, count: count, parent: parent.readSoFar)
      case .newMember:
        throw .noMember(name: token.string, parent: parent.readSoFar)
      }
    }
  }

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
      for name in written { appendMember(name, slot.owner) }
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
    func order(_ rank: Int) -> Int {
      let name = members[position(ofRank: rank, in: object)].name
      return sources[Int(name.owner)].withTape { tape in
        unsafe token.withBytes { unsafe tape.nameOrder(name.index, $0) }
      }
    }
    let count = object.ranking.map { rankings[$0].count } ?? object.count
    let rank = (0..<count).partitioningIndex { order($0) >= 0 }
    return (rank, rank < count && order(rank) == 0)
  }
}

extension JSONTape {
  /// Returns the place of the value that a token leads to.
  func child(
    _ token: PointerToken, of parent: Int, parent tokens: PointerTokens
  ) throws(PointerError.Reason) -> Int {
    switch self[parent].kind {
    case .object:
      guard let place = unsafe token.withBytes({ unsafe findByWalking(parent, $0) }) else {
        throw .noMember(name: token.string, parent: tokens.readSoFar)
      }
      return place
    case .array:
      let count = writtenCount(parent)
      guard !token.isEnd else {
        throw .noElement(token: "-", count: count, parent: tokens.readSoFar)
      }
      guard let index = token.index else {
        throw .notAnIndex(token: token.string, parent: tokens.readSoFar)
      }
      guard index < count else {
        throw .noElement(token: token.string, count: count, parent: tokens.readSoFar)
      }
      return (0..<index).reduce(parent + 1) { place, _ in Int(self[place].next) }
    case let kind: throw .scalar(kind, parent: tokens.readSoFar)
    }
  }
}

extension JSON {
  /// Returns the value at a pointer inside this one.
  ///
  /// - Throws: ``PointerError`` if there is no such value.
  public func value(at pointer: Pointer) throws(PointerError) -> JSON {
    try Draft(self).value(at: pointer)
  }
}

/// An object that is being changed, stored as a range of the draft's members.
///
/// One array holds the members of all objects. That saves an allocation and reference counting for
/// each object, and halved the time that a run of patches takes.
struct DraftObject {
  struct Member: Sendable {
    let name: Draft.Slot
    var value: Draft.Slot

    /// `true` if the name is still followed by the value that follows it on the tape.
    var isWhole: Bool { name.owner == value.owner && value.place == name.place + 1 }
  }

  var start: Int
  /// The number of members, including removed ones if the object has a ranking.
  var count: Int
  /// The number of members that fit before they must move.
  var capacity: Int
  /// An index into the draft's `rankings`; nil if the tape says that the members are sorted by name.
  ///
  /// It says so for all states but those with an escaped name, which the parser does not compare with its neighbors.
  /// Any other object keeps its written order, and its ranking lists the positions by name.
  var ranking: Int?

  var positions: Range<Int> { start..<(start + count) }
}
