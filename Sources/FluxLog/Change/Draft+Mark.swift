extension Draft {
  /// A moment in a draft's life that it can be taken back to.
  struct Mark: Sendable {
    fileprivate let journalCount: Int
    fileprivate let sizeBound: Int
    fileprivate let nodeBound: Int
    fileprivate let copiedBytes: Int
  }

  /// What the draft is now.
  ///
  /// Good for as long as the draft does not go on from anything earlier, and its journal is not
  /// begun anew by applying a whole patch.
  var mark: Mark {
    Mark(
      journalCount: journal.count, sizeBound: sizeBound, nodeBound: nodeBound,
      copiedBytes: copiedBytes)
  }

  /// Takes back all that was done since a mark, the last edit first.
  mutating func rewind(to mark: Mark) {
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
