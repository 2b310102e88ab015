/// Pairs up the elements that occur once on both sides, as long as their order is the same.
enum UniqueMatches {
  /// Returns the indices of as many pairs as possible, ascending on both sides.
  ///
  /// This takes O(n log n) steps.
  static func ascending(_ old: [UInt64], _ new: [UInt64]) -> [(old: Int, new: Int)] {
    let oldIndices = uniqueIndices(old)
    let newIndices = uniqueIndices(new)
    let pairs = old.indices.compactMap { i -> (old: Int, new: Int)? in
      guard oldIndices[old[i]] == .some(i), case .some(let j?) = newIndices[old[i]] else {
        return nil
      }
      return (i, j)
    }
    return longestAscending(pairs)
  }

  /// Returns the index of each key; nil for a key that occurs more than once.
  private static func uniqueIndices(_ keys: [UInt64]) -> [UInt64: Int?] {
    var indices: [UInt64: Int?] = Dictionary(minimumCapacity: keys.count)
    for (index, key) in keys.enumerated() {
      indices[key] = indices[key] == nil ? .some(index) : .some(nil)
    }
    return indices
  }

  /// Returns the longest selection of pairs with ascending new indices.
  ///
  /// The pairs are sorted by their old indices. The algorithm is patience sorting: it keeps the
  /// last pair of the best selection of each length.
  private static func longestAscending(
    _ pairs: [(old: Int, new: Int)]
  ) -> [(old: Int, new: Int)] {
    var lasts: [Int] = []
    var previous = Array(repeating: -1, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      var low = 0
      var high = lasts.count
      while low < high {
        let middle = (low + high) / 2
        if pairs[lasts[middle]].new < pair.new { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = lasts[low - 1] }
      if low == lasts.count { lasts.append(index) } else { lasts[low] = index }
    }
    var selection: [(old: Int, new: Int)] = []
    var next = lasts.last ?? -1
    while next >= 0 {
      selection.append(pairs[next])
      next = previous[next]
    }
    return selection.reversed()
  }
}
