/// Pairs up the equal elements of two sequences without changing their order.
///
/// Few differences: a longest common subsequence (``CommonSubsequence``). Otherwise, the elements
/// that occur once on both sides are paired, and the stretches between them are aligned in the same
/// way.
package struct SequenceAlignment {
  package struct Run: Equatable {
    package var old: Int
    package var new: Int
    package var count: Int
  }

  /// Elements of both sequences, and the number of equal elements that follow them.
  package struct Stretch {
    package let old: Range<Int>
    package let new: Range<Int>
    package var count = 0
  }

  private let old: [UInt64]
  private let new: [UInt64]

  /// The aligned runs, ascending on both sides.
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

  /// Aligns two sequences of elements.
  package init<Element: Hashable>(of old: [Element], _ new: [Element]) {
    var numbers: [Element: UInt64] = [:]
    func number(_ element: Element) -> UInt64 {
      let known = numbers[element] ?? UInt64(numbers.count)
      numbers[element] = known
      return known
    }
    self.init(old.map(number), new.map(number))
  }

  /// The elements before each run that have no partner, and those behind the last run, all in order.
  package var stretches: [Stretch] {
    var (from, to) = (0, 0)
    return (runs + [Run(old: old.count, new: new.count, count: 0)]).map { run in
      defer { (from, to) = (run.old + run.count, run.new + run.count) }
      return Stretch(old: from..<run.old, new: to..<run.new, count: run.count)
    }
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
    var sequence = CommonSubsequence(old: left, new: right)
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

  private mutating func join() {
    let sorted = runs.sorted { $0.old < $1.old }
    runs.removeAll(keepingCapacity: true)
    for run in sorted { append(run.old, run.new, count: run.count) }
  }
}

/// Finds a longest common subsequence of two sequences.
///
/// It follows Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), with a limit on the
/// number of differences.
struct CommonSubsequence {
  /// The number of differences after which the search stops.
  static let differenceLimit = 256

  let old: [UInt64]
  let new: [UInt64]
  private(set) var steps = 0

  /// Returns the indices of the common elements, ascending on both sides.
  mutating func matches() -> [(old: Int, new: Int)]? {
    let limit = min(old.count + new.count, CommonSubsequence.differenceLimit)
    // The furthest old index reached on each diagonal k = i - j, shifted by the limit.
    var reach = Array(repeating: 0, count: 2 * limit + 3)
    var history: [[Int]] = []
    for differences in 0...limit {
      history.append(Array(reach[(limit + 1 - differences)...(limit + 1 + differences)]))
      for diagonal in stride(from: -differences, through: differences, by: 2) {
        let place = diagonal + limit + 1
        let goesDown =
          diagonal == -differences
          || (diagonal != differences && reach[place - 1] < reach[place + 1])
        var i = goesDown ? reach[place + 1] : reach[place - 1] + 1
        var j = i - diagonal
        steps += 1
        while i < old.count, j < new.count, old[i] == new[j] {
          i += 1
          j += 1
          steps += 1
        }
        reach[place] = i
        if i >= old.count, j >= new.count { return walkBack(history) }
      }
    }
    return nil
  }

  /// Follows the search back from the end, and collects the matches.
  private func walkBack(_ history: [[Int]]) -> [(old: Int, new: Int)] {
    var matches: [(old: Int, new: Int)] = []
    var (i, j) = (old.count, new.count)
    for (differences, reach) in history.enumerated().reversed() {
      var former = (i: 0, j: 0)
      if differences > 0 {
        // Repeats the decision that the search made. Diagonal k is at this index.
        let place = i - j + differences
        let goesDown =
          place == 0 || (place != 2 * differences && reach[place - 1] < reach[place + 1])
        former.i = goesDown ? reach[place + 1] : reach[place - 1]
        former.j = former.i - (i - j) + (goesDown ? -1 : 1)
      }
      while i > former.i, j > former.j {
        i -= 1
        j -= 1
        matches.append((i, j))
      }
      (i, j) = former
    }
    return matches.reversed()
  }
}

/// Pairs up the elements that occur once on both sides, as long as their order is the same.
enum UniqueMatches {
  /// Returns the indices of as many pairs as possible, ascending on both sides.
  static func ascending(_ old: [UInt64], _ new: [UInt64]) -> [(old: Int, new: Int)] {
    let oldIndices = uniqueIndices(old)
    let newIndices = uniqueIndices(new)
    let pairs = old.indices.compactMap { i -> (old: Int, new: Int)? in
      guard oldIndices[old[i]] == .some(i), case .some(let j?) = newIndices[old[i]] else {
        return nil
      }
      return (i, j)
    }
    return pairs.map(\.new).longestAscending.map { pairs[$0] }
  }

  /// Returns the index of each key; nil for a key that occurs more than once.
  private static func uniqueIndices(_ keys: [UInt64]) -> [UInt64: Int?] {
    var indices: [UInt64: Int?] = Dictionary(minimumCapacity: keys.count)
    for (index, key) in keys.enumerated() {
      indices[key] = indices[key] == nil ? .some(index) : .some(nil)
    }
    return indices
  }
}

extension [Int] {
  /// The places of a longest ascending selection of the numbers.
  ///
  /// The algorithm is patience sorting, in n log n: it keeps the place of the smallest last number of the selections of
  /// each length.
  package var longestAscending: [Int] {
    var lasts: [Int] = []
    var previous = Array(repeating: -1, count: count)
    for (place, number) in enumerated() {
      let length = lasts.partitioningIndex { self[$0] >= number }
      if length > 0 { previous[place] = lasts[length - 1] }
      if length == lasts.count { lasts.append(place) } else { lasts[length] = place }
    }
    var selection: [Int] = []
    var next = lasts.last ?? -1
    while next >= 0 {
      selection.append(next)
      next = previous[next]
    }
    return selection.reversed()
  }
}
