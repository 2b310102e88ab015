extension Difference {
  /// The part of two containers' tapes between their equal ends.
  ///
  /// Each range starts at a child, and ends at a child or at the end of the container.
  struct Middle {
    var old: Range<Int>
    var new: Range<Int>
    /// The number of children before the middle, the same on both sides.
    var skipped: Int
  }

  /// Skips the children at both ends that lie within equal bytes.
  ///
  /// `step` is the distance on the tape from a child to its value. It is 1 for a member, whose name
  /// comes first, and 0 for an element.
  func middle(
    _ old: Int, _ new: Int, _ ends: (head: Int, tail: Int), step: Int
  ) -> Middle {
    let node = self.old[old]
    var start = old + 1
    var skipped = 0
    // The byte after a value must be equal too: `1` and `12` start with the same byte.
    let headEnd = Int(node.start) + ends.head
    while start < Int(node.next), Int(self.old[start + step].end) < headEnd {
      start = Int(self.old[start + step].next)
      skipped += 1
    }
    // Equal bytes have equal nodes, so the child is at the same distance from its container on both
    // sides.
    var middle = Middle(
      old: start..<Int(node.next), new: (new + start - old)..<Int(self.new[new].next),
      skipped: skipped)
    guard let tail = tail(old, new, from: middle, ends, step: step) else { return middle }
    middle.old = start..<tail.old
    middle.new = middle.new.lowerBound..<tail.new
    return middle
  }

  /// Returns the first children within the equal bytes at the end; nil if there are none.
  private func tail(
    _ old: Int, _ new: Int, from middle: Middle, _ ends: (head: Int, tail: Int), step: Int
  ) -> (old: Int, new: Int)? {
    let (oldNode, newNode) = (self.old[old], self.new[new])
    let tailStart = Int(oldNode.end) - ends.tail
    var place = middle.old.lowerBound
    while place < middle.old.upperBound, Int(self.old[place].start) <= tailStart {
      place = Int(self.old[place + step].next)
    }
    guard place < middle.old.upperBound else { return nil }
    // Equal bytes before the end can have different meanings. A quote that starts a string in one
    // text may be escaped inside a string in the other. But if both texts have a node with the same
    // bytes at the same distance from the end, everything after it is equal.
    let mirrored = Int(newNode.next) - (Int(oldNode.next) - place)
    guard mirrored >= middle.new.lowerBound,
      newNode.end - self.new[mirrored].start == oldNode.end - self.old[place].start,
      newNode.end - self.new[mirrored].end == oldNode.end - self.old[place].end
    else { return nil }
    return (place, mirrored)
  }
}

extension JSONTape {
  /// Returns the places of the children in a part of a container's tape.
  func places(from range: Range<Int>, step: Int) -> [Int] {
    var places: [Int] = []
    var place = range.lowerBound
    while place < range.upperBound {
      places.append(place)
      place = Int(self[place + step].next)
    }
    return places
  }
}
