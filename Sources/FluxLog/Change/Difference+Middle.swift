extension Difference {
  /// The part of two containers' tapes that their equal ends leave over, from the start of a child
  /// to the start of a child, or the container's end.
  struct Middle {
    var old: Range<Int>
    var new: Range<Int>
    /// The number of children before it, the same on both sides.
    var skipped: Int
  }

  /// Skips the children at both ends that lie within equal bytes.
  ///
  /// `step` is the distance on the tape from a child to its value: 1 for a member, whose name
  /// comes first, and 0 for an element.
  func middle(
    _ old: Int, _ new: Int, _ ends: (head: Int, tail: Int), step: Int
  ) -> Middle {
    let node = self.old[old]
    var start = old + 1
    var skipped = 0
    // A value is the same only where the byte behind it is: 1 and 12 begin alike.
    let headEnd = Int(node.start) + ends.head
    while start < Int(node.next), Int(self.old[start + step].end) < headEnd {
      start = Int(self.old[start + step].next)
      skipped += 1
    }
    // The same bytes have the same nodes, so the children on both sides are as far from their
    // containers' nodes.
    var middle = Middle(
      old: start..<Int(node.next), new: (new + start - old)..<Int(self.new[new].next),
      skipped: skipped)
    guard let tail = tail(old, new, from: middle, ends, step: step) else { return middle }
    middle.old = start..<tail.old
    middle.new = middle.new.lowerBound..<tail.new
    return middle
  }

  /// Where the children begin that lie within the equal bytes at the end.
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
    // Seen from the end the same bytes can mean something else: the quote that begins a string
    // here may be an escaped one inside of a string there. But where a node of the same bytes
    // stands as far from the end, all that follows it is the same.
    let mirrored = Int(newNode.next) - (Int(oldNode.next) - place)
    guard mirrored >= middle.new.lowerBound,
      newNode.end - self.new[mirrored].start == oldNode.end - self.old[place].start,
      newNode.end - self.new[mirrored].end == oldNode.end - self.old[place].end
    else { return nil }
    return (place, mirrored)
  }
}

extension JSONTape {
  /// The places of the children in a part of a container's tape.
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
