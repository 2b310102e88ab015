extension Draft {
  /// A state of a draft to which it can be rewound.
  package struct Mark: Sendable {
    fileprivate let journalCount: Int
    fileprivate let sizeBound: Int
    fileprivate let nodeBound: Int
    fileprivate let copiedBytes: Int
  }

  /// A mark of the current state.
  ///
  /// The mark is valid until the draft is rewound to an earlier one. Applying a whole patch clears
  /// the journal and also invalidates the mark.
  package var mark: Mark {
    Mark(
      journalCount: journal.count, sizeBound: sizeBound, nodeBound: nodeBound,
      copiedBytes: copiedBytes)
  }

  /// Undoes all edits since a mark, the last edit first.
  package mutating func rewind(to mark: Mark) {
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
