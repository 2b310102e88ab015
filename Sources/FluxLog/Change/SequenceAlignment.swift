/// Pairs up what two sequences have in common, in the order in which it stands in both.
///
/// What is equal at both ends first; then a longest common subsequence, as long as few elements
/// differ (``CommonSubsequence``); else what occurs once on both sides, and between such pairs the
/// same again. So the work grows with the lengths and with the square of a bounded number of
/// differences: of two sequences that have little in common, less than the most is paired up.
package struct SequenceAlignment {
  /// Elements that follow each other on both sides, and belong together one by one.
  package struct Run: Equatable {
    /// The index of the first of them.
    package var old: Int
    /// The same on the other side.
    package var new: Int
    /// How many they are.
    package var count: Int

    /// Makes a run.
    package init(old: Int, new: Int, count: Int) {
      self.old = old
      self.new = new
      self.count = count
    }
  }

  /// A stretch of both sequences that is still to be paired up.
  private struct Stretch {
    var old: Range<Int>
    var new: Range<Int>
  }

  private let old: [UInt64]
  private let new: [UInt64]

  /// What belongs together, ascending on both sides; between two runs there is something else on
  /// one side at least.
  package private(set) var runs: [Run] = []

  /// Aligns sequences of which equal elements are equal numbers.
  package init(_ old: [UInt64], _ new: [UInt64]) {
    self.old = old
    self.new = new
    // A list instead of calls, so that the depth costs no stack.
    var open = [Stretch(old: old.indices, new: new.indices)]
    while let stretch = open.popLast() { align(trimmed(stretch), &open) }
    join()
  }

  /// Pairs up what is equal at both ends; returns what is between.
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

  /// Sorts the runs, and makes one of those that follow each other.
  private mutating func join() {
    let sorted = runs.sorted { $0.old < $1.old }
    runs.removeAll(keepingCapacity: true)
    for run in sorted { append(run.old, run.new, count: run.count) }
  }
}
