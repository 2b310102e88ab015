/// Finds a longest common subsequence of two sequences.
///
/// It follows Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), with a limit on the
/// number of differences.
struct CommonSubsequence {
  /// The number of differences after which the search stops.
  ///
  /// Its time and memory grow with the square of that number.
  static let differenceLimit = 256

  private let old: [UInt64]
  private let new: [UInt64]
  /// The number of steps of the search.
  private(set) var steps = 0

  init(_ old: [UInt64], _ new: [UInt64]) {
    self.old = old
    self.new = new
  }

  /// Returns the indices of the common elements, ascending on both sides.
  ///
  /// Returns nil if the sequences have more differences than the limit.
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
