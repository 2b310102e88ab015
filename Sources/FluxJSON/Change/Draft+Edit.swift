extension Draft {
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

  /// Replaces the value at a position.
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

  /// Removes a value from its container.
  ///
  /// - Precondition: The position is not the root.
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

  /// Replaces code points of a text.
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
}
