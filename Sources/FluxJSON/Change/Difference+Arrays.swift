extension Difference {
  /// Compares the elements of two arrays.
  mutating func compareArrays(_ old: Int, _ new: Int, _ ends: (head: Int, tail: Int)) {
    let middle = middle(old, new, ends, step: 0)
    if let pair = solePair(middle) {
      // Most steps change one element of an array. The lists below would triple the cost.
      let mark = path.enter(index: middle.skipped)
      if areVariants(pair.old, pair.new) {
        compare(pair.old, pair.new, self.ends(of: pair.old, pair.new, in: old, new, ends))
      } else {
        replace(with: pair.new)
      }
      return path.leave(mark)
    }
    var lines = Lines(
      old: self.old.places(from: middle.old, step: 0)[...],
      new: self.new.places(from: middle.new, step: 0)[...])
    let index = middle.skipped + trimEqualEnds(&lines)
    let alignment = align(Array(lines.old), Array(lines.new))
    var script = Script(
      lines: (Array(lines.old), Array(lines.new)), parents: (old, new), ends: ends,
      comparesPairs: alignment.comparesPairs, index: index)
    for match in alignment.matches {
      emitGap(&script, upTo: match)
      emitPair(&script, compares: true)
    }
    emitGap(&script, upTo: (script.lines.old.count, script.lines.new.count))
  }

  /// Returns the elements if exactly one is left on each side; otherwise nil.
  private func solePair(_ middle: Middle) -> (old: Int, new: Int)? {
    guard !middle.old.isEmpty, !middle.new.isEmpty else { return nil }
    let (old, new) = (middle.old.lowerBound, middle.new.lowerBound)
    guard Int(self.old[old].next) == middle.old.upperBound,
      Int(self.new[new].next) == middle.new.upperBound
    else { return nil }
    return (old, new)
  }

  /// The places of the elements that are not compared yet.
  private struct Lines {
    var old: ArraySlice<Int>
    var new: ArraySlice<Int>
  }

  /// Removes elements that have equal values but different bytes from both ends.
  ///
  /// A last pair stays, because comparing it finds smaller changes.
  ///
  /// - Returns: The number of pairs removed at the start.
  private mutating func trimEqualEnds(_ lines: inout Lines) -> Int {
    var trimmed = 0
    while lines.old.count + lines.new.count > 2, let old = lines.old.first,
      let new = lines.new.first, equals(old, new)
    {
      lines.old.removeFirst()
      lines.new.removeFirst()
      trimmed += 1
    }
    while lines.old.count + lines.new.count > 2, let old = lines.old.last,
      let new = lines.new.last, equals(old, new)
    {
      lines.old.removeLast()
      lines.new.removeLast()
    }
    return trimmed
  }

  private mutating func equals(_ old: Int, _ new: Int) -> Bool {
    let (left, right) = unsafe (self.old.span(old), self.new.span(new))
    if unsafe left.equals(right) { return true }
    guard budget > 0, self.old[old].kind == self.new[new].kind else { return false }
    budget -= min(left.count, right.count)
    return self.old.equals(old, self.new, new)
  }

  /// The current position in both arrays, from left to right.
  private struct Script {
    let lines: (old: [Int], new: [Int])
    let parents: (old: Int, new: Int)
    let ends: (head: Int, tail: Int)
    /// `true` if elements that are not aligned are compared; `false` if they are replaced.
    let comparesPairs: Bool
    /// The index of the next element in the array as changed by the operations so far.
    ///
    /// All elements before it are final.
    var index: Int
    var i = 0
    var j = 0
  }

  /// Emits the operations for the elements before the next aligned pair.
  private mutating func emitGap(_ script: inout Script, upTo end: (old: Int, new: Int)) {
    while script.i < end.old, script.j < end.new, !isFutile {
      emitPair(&script, compares: script.comparesPairs)
    }
    while script.i < end.old, !isFutile {
      let mark = path.enter(index: script.index)
      remove()
      path.leave(mark)
      script.i += 1
    }
    while script.j < end.new, !isFutile {
      let mark = path.enter(index: script.index)
      add(script.lines.new[script.j])
      path.leave(mark)
      script.j += 1
      script.index += 1
    }
  }

  /// Emits the operations that turn one element into another.
  private mutating func emitPair(_ script: inout Script, compares: Bool) {
    guard !isFutile else { return }
    let (old, new) = (script.lines.old[script.i], script.lines.new[script.j])
    let mark = path.enter(index: script.index)
    if compares {
      let (oldParent, newParent) = script.parents
      compare(old, new, ends(of: old, new, in: oldParent, newParent, script.ends))
    } else {
      replace(with: new)
    }
    path.leave(mark)
    script.i += 1
    script.j += 1
    script.index += 1
  }
}
