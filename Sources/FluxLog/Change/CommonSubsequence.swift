/// Finds a longest common subsequence: E.
///
/// Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), with a bound on the number of
/// differences.
struct CommonSubsequence {
  /// The differences beyond which the search is given up: its time and memory grow with their
  /// square.
  static let differenceLimit = 256

  private let old: [UInt64]
  private let new: [UInt64]
  /// How many steps the search took.
  private(set) var steps = 0

  init(_ old: [UInt64], _ new: [UInt64]) {
    self.old = old
    self.new = new
  }

  /// The indices of the elements that both have in common, ascending; nil where there are more
  /// differences than the limit.
  mutating func matches() -> [(old: Int, new: Int)]? {
    let limit = min(old.count + new.count, CommonSubsequence.differenceLimit)
    // For each diagonal k = i - j, shifted by the limit, how far along the old side it reaches.
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

  /// Follows the search back from the end, and collects what was the same on the way.
  private func walkBack(_ history: [[Int]]) -> [(old: Int, new: Int)] {
    var matches: [(old: Int, new: Int)] = []
    var (i, j) = (old.count, new.count)
    for (differences, reach) in history.enumerated().reversed() {
      var former = (i: 0, j: 0)
      if differences > 0 {
        // Where the search came from, decided as it was on the way; diagonal k is at this index.
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
