extension Difference {
  /// Compares the members of two objects by name.
  mutating func compareObjects(_ old: Int, _ new: Int, _ ends: (head: Int, tail: Int)) {
    if let pair = solePair(old, new, ends) {
      // Most steps change one member of an object, and that needs no lists of names.
      let mark = path.enter(name: pair.old - 1, on: self.old)
      compare(pair.old, pair.new, self.ends(of: pair.old, pair.new, in: old, new, ends))
      return path.leave(mark)
    }
    let (oldNames, newNames) = differingNames(old, new, ends)
    var (i, j) = (0, 0)
    while (i < oldNames.count || j < newNames.count) && !isFutile {
      let order = order(oldNames, i, newNames, j)
      let name = order <= 0 ? oldNames[i] : newNames[j]
      let mark = path.enter(name: name, on: order <= 0 ? self.old : self.new)
      if order < 0 {
        remove()
      } else if order > 0 {
        add(newNames[j] + 1)
      } else {
        let (oldValue, newValue) = (oldNames[i] + 1, newNames[j] + 1)
        compare(oldValue, newValue, self.ends(of: oldValue, newValue, in: old, new, ends))
      }
      path.leave(mark)
      if order <= 0 { i += 1 }
      if order >= 0 { j += 1 }
    }
  }

  /// Returns the values of the only differing members if they have the same name; otherwise nil.
  private func solePair(
    _ old: Int, _ new: Int, _ ends: (head: Int, tail: Int)
  ) -> (old: Int, new: Int)? {
    guard self.old[old].has(JSONNode.sorted), self.new[new].has(JSONNode.sorted) else { return nil }
    let middle = middle(old, new, ends, step: 1)
    guard !middle.old.isEmpty, !middle.new.isEmpty else { return nil }
    let (oldName, newName) = (middle.old.lowerBound, middle.new.lowerBound)
    guard Int(self.old[oldName + 1].next) == middle.old.upperBound,
      Int(self.new[newName + 1].next) == middle.new.upperBound,
      unsafe self.old.span(oldName).equals(self.new.span(newName))
    else { return nil }
    return (oldName + 1, newName + 1)
  }

  /// Compares two names: negative if the old one comes first, positive if the new one does.
  ///
  /// Returns 0 if they are equal. A side without any names left comes last.
  private func order(_ oldNames: [Int], _ i: Int, _ newNames: [Int], _ j: Int) -> Int {
    guard i < oldNames.count else { return 1 }
    guard j < newNames.count else { return -1 }
    return old.contentOrder(oldNames[i], new, newNames[j])
  }

  /// Returns the places of the names on both sides, in order.
  ///
  /// Leaves out members at both ends if their bytes are equal.
  private func differingNames(
    _ old: Int, _ new: Int, _ ends: (head: Int, tail: Int)
  ) -> ([Int], [Int]) {
    // Unsorted or repeated names must all be sorted first.
    guard self.old[old].has(JSONNode.sorted), self.new[new].has(JSONNode.sorted) else {
      return (
        self.old.distinctNames(old).map { Int($0) }, self.new.distinctNames(new).map { Int($0) }
      )
    }
    let middle = middle(old, new, ends, step: 1)
    return (
      self.old.places(from: middle.old, step: 1), self.new.places(from: middle.new, step: 1)
    )
  }
}
