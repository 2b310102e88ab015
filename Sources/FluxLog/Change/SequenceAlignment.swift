/// Pairs up what two sequences have in common, in the order in which it stands in both.
///
/// What is equal at both ends first; then a longest common subsequence, as long as few elements
/// differ (``CommonSubsequence``); else what occurs once on both sides, and between such pairs the
/// same again. So the work grows with the lengths and with the square of a bounded number of
/// differences: of two sequences that have little in common, less than the most is paired up.
package struct SequenceAlignment {
  /// A stretch of both sequences that is still to be paired up.
  private struct Stretch {
    var old: Range<Int>
    var new: Range<Int>
  }

  private let old: [UInt64]
  private let new: [UInt64]

  /// The indices of elements that belong together, ascending on both sides.
  package private(set) var matches: [(old: Int, new: Int)] = []

  /// Aligns sequences of which equal elements are equal numbers.
  package init(_ old: [UInt64], _ new: [UInt64]) {
    self.old = old
    self.new = new
    // A list instead of calls, so that the depth costs no stack.
    var open = [Stretch(old: old.indices, new: new.indices)]
    while let stretch = open.popLast() { align(trimmed(stretch), &open) }
    matches.sort { $0.old < $1.old }
  }

  /// Pairs up what is equal at both ends; returns what is between.
  private mutating func trimmed(_ stretch: Stretch) -> Stretch {
    var (low, high) = (stretch.old.lowerBound, stretch.old.upperBound)
    var (newLow, newHigh) = (stretch.new.lowerBound, stretch.new.upperBound)
    while low < high, newLow < newHigh, old[low] == new[newLow] {
      matches.append((low, newLow))
      low += 1
      newLow += 1
    }
    while low < high, newLow < newHigh, old[high - 1] == new[newHigh - 1] {
      high -= 1
      newHigh -= 1
      matches.append((high, newHigh))
    }
    return Stretch(old: low..<high, new: newLow..<newHigh)
  }

  private mutating func align(_ stretch: Stretch, _ open: inout [Stretch]) {
    guard !stretch.old.isEmpty, !stretch.new.isEmpty else { return }
    let (left, right) = (Array(old[stretch.old]), Array(new[stretch.new]))
    var sequence = CommonSubsequence(left, right)
    if let found = sequence.matches() {
      matches += found.map {
        (stretch.old.lowerBound + $0.old, stretch.new.lowerBound + $0.new)
      }
      return
    }
    let anchors = UniqueMatches.ascending(left, right)
    guard !anchors.isEmpty else { return }
    var (low, newLow) = (stretch.old.lowerBound, stretch.new.lowerBound)
    for anchor in anchors {
      let (i, j) = (stretch.old.lowerBound + anchor.old, stretch.new.lowerBound + anchor.new)
      matches.append((i, j))
      open.append(Stretch(old: low..<i, new: newLow..<j))
      (low, newLow) = (i + 1, j + 1)
    }
    open.append(
      Stretch(old: low..<stretch.old.upperBound, new: newLow..<stretch.new.upperBound))
  }
}
