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

  /// Follows a pointer for an edit, and spells out the containers on the way.
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
        throw .noElement(token: token.string, count: index, parent: WTF8.string(parent.readSoFar))
      case .newMember:
        guard !tokens.isAtEnd else { return target }
        throw .noMember(name: token.string, parent: WTF8.string(parent.readSoFar))
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
        throw .notAnIndex(token: token.string, parent: WTF8.string(parent.readSoFar))
      }
      if index.value < count {
        return .found(.element(array: slot.index, index: index.value))
      }
      guard index.value == count else {
        throw .noElement(token: token.string, count: count, parent: WTF8.string(parent.readSoFar))
      }
      return .newElement(array: slot.index, index: count)
    case Slot.object:
      let (rank, exists) = find(token, in: objects[slot.index])
      if exists { return .found(.member(object: slot.index, rank: rank)) }
      return .newMember(object: slot.index, rank: rank, name: token)
    default: throw .scalar(kind(slot), parent: WTF8.string(parent.readSoFar))
    }
  }

  /// Returns the value at a pointer.
  ///
  /// This walks the path, and copies the value if something in it was changed.
  package func value(at pointer: Pointer) throws(PointerError) -> JSON {
    do throws(PointerError.Reason) {
      return json(
        try pointer.bytes.withView { (bytes) throws(PointerError.Reason) in
          try slot(at: bytes)
        })
    } catch {
      throw PointerError(pointer: pointer.description, reason: error)
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
        throw .noElement(token: token.string, count: count, parent: WTF8.string(parent.readSoFar))
      case .newMember:
        throw .noMember(name: token.string, parent: WTF8.string(parent.readSoFar))
      }
    }
  }
}

extension JSONTape {
  /// Returns the place of the value that a token leads to.
  func child(
    _ token: PointerToken, of parent: Int, parent tokens: PointerTokens
  ) throws(PointerError.Reason) -> Int {
    let parentText = { WTF8.string(tokens.readSoFar) }
    switch self[parent].kind {
    case .object:
      guard let place = member(token, of: parent) else {
        throw .noMember(name: token.string, parent: parentText())
      }
      return place
    case .array:
      let count = writtenCount(parent)
      guard !token.isEnd else {
        throw .noElement(token: "-", count: count, parent: parentText())
      }
      guard let index = token.index else {
        throw .notAnIndex(token: token.string, parent: parentText())
      }
      guard index.value < count else {
        throw .noElement(token: token.string, count: count, parent: parentText())
      }
      return (0..<index.value).reduce(parent + 1) { place, _ in Int(self[place].next) }
    case let kind: throw .scalar(kind, parent: parentText())
    }
  }

  /// Returns the place of a member's value; nil if there is no such member.
  ///
  /// The last of several equal names wins.
  func member(_ token: PointerToken, of object: Int) -> Int? {
    let end = Int(self[object].next)
    var name = object + 1
    var found: Int?
    let repeats = self[object].has(JSONNode.repeatsName)
    let prefix = token.prefix
    while name < end {
      if token.equals(name, on: self, prefix: prefix) {
        found = name + 1
        if !repeats { return found }
      }
      name = Int(self[name + 1].next)
    }
    return found
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
