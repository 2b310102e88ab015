/// Pairs up what occurs once on both sides, as far as it is in the same order there.
enum UniqueMatches {
  /// The indices of the pairs, ascending on both sides, as many as possible.
  ///
  /// Takes n log n steps.
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

  /// Where each key is; nil where it is in more than one place.
  private static func uniqueIndices(_ keys: [UInt64]) -> [UInt64: Int?] {
    var indices: [UInt64: Int?] = Dictionary(minimumCapacity: keys.count)
    for (index, key) in keys.enumerated() {
      indices[key] = indices[key] == nil ? .some(index) : .some(nil)
    }
    return indices
  }

  /// The longest selection of pairs whose new indices ascend as their old ones do: patience
  /// sorting, by the last pair of the best selection of each length.
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
