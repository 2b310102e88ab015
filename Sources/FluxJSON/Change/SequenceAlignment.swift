/// Pairs up the equal elements of two sequences without changing their order.
///
/// Equal elements at both ends are paired first. If few of the remaining elements differ, a longest
/// common subsequence pairs up the rest (``CommonSubsequence``). Otherwise the elements that occur
/// once on both sides are paired, and the stretches between them are aligned in the same way.
///
/// The work grows with the lengths, and with the square of a bounded number of differences. If the
/// sequences have little in common, the alignment may have fewer pairs than possible.
package struct SequenceAlignment {
  /// Consecutive elements of both sequences that are paired one to one.
  package struct Run: Equatable {
    /// The index of the run's first element in the old sequence.
    package var old: Int
    /// The index of the run's first element in the new sequence.
    package var new: Int
    /// The number of pairs in the run.
    package var count: Int

    /// Creates a run.
    package init(old: Int, new: Int, count: Int) {
      self.old = old
      self.new = new
      self.count = count
    }
  }

  /// A stretch of both sequences that is not aligned yet.
  private struct Stretch {
    var old: Range<Int>
    var new: Range<Int>
  }

  private let old: [UInt64]
  private let new: [UInt64]

  /// The aligned runs, ascending on both sides.
  ///
  /// At least one side has an unpaired element between two runs.
  package private(set) var runs: [Run] = []

  /// Aligns two sequences in which equal numbers stand for equal elements.
  package init(_ old: [UInt64], _ new: [UInt64]) {
    self.old = old
    self.new = new
    // An explicit stack, so deep nesting cannot overflow the call stack.
    var open = [Stretch(old: old.indices, new: new.indices)]
    while let stretch = open.popLast() { align(trimmed(stretch), &open) }
    join()
  }

  /// Pairs up the equal elements at both ends, and returns the stretch between them.
  private mutating func trimmed(_ stretch: Stretch) -> Stretch {
    var (low, high) = (stretch.old.lowerBound, stretch.old.upperBound)
    var (newLow, newHigh) = (stretch.new.lowerBound, stretch.new.upperBound)
    while low < high, newLow < newHigh, old[low] == new[newLow] {
      (low, newLow) = (low + 1, newLow + 1)
    }
    while low < high, newLow < newHigh, old[high - 1] == new[newHigh - 1] {
      (high, newHigh) = (high - 1, newHigh - 1)
    }
    append(stretch.old.lowerBound, stretch.new.lowerBound, count: low - stretch.old.lowerBound)
    append(high, newHigh, count: stretch.old.upperBound - high)
    return Stretch(old: low..<high, new: newLow..<newHigh)
  }

  private mutating func align(_ stretch: Stretch, _ open: inout [Stretch]) {
    guard !stretch.old.isEmpty, !stretch.new.isEmpty else { return }
    let (left, right) = (Array(old[stretch.old]), Array(new[stretch.new]))
    let (start, newStart) = (stretch.old.lowerBound, stretch.new.lowerBound)
    var sequence = CommonSubsequence(left, right)
    if let matches = sequence.matches() {
      for match in matches { append(start + match.old, newStart + match.new, count: 1) }
      return
    }
    let anchors = UniqueMatches.ascending(left, right)
    guard !anchors.isEmpty else { return }
    var (low, newLow) = (start, newStart)
    for anchor in anchors {
      let (place, newPlace) = (start + anchor.old, newStart + anchor.new)
      append(place, newPlace, count: 1)
      open.append(Stretch(old: low..<place, new: newLow..<newPlace))
      (low, newLow) = (place + 1, newPlace + 1)
    }
    open.append(
      Stretch(old: low..<stretch.old.upperBound, new: newLow..<stretch.new.upperBound))
  }

  private mutating func append(_ old: Int, _ new: Int, count: Int) {
    guard count > 0 else { return }
    if let last = runs.last, last.old + last.count == old, last.new + last.count == new {
      runs[runs.count - 1].count += count
    } else {
      runs.append(Run(old: old, new: new, count: count))
    }
  }

  /// Sorts the runs, and merges adjacent ones.
  private mutating func join() {
    let sorted = runs.sorted { $0.old < $1.old }
    runs.removeAll(keepingCapacity: true)
    for run in sorted { append(run.old, run.new, count: run.count) }
  }
}
