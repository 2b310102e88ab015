extension LogFile {
  /// Finds the `rank`-th step in a range whose action type matches.
  ///
  /// Searches the index, at a few nanoseconds per step.
  ///
  /// - Parameters:
  ///   - rank: The occurrence to find, counted from 1.
  ///   - range: The positions to search.
  ///   - matches: Returns `true` for matching types.
  /// - Returns: The position, or `nil` if there are fewer matches; and the number of matches up to
  ///   it.
  /// - Throws: ``LogError`` if the index cannot be read.
  public func position(
    ofRank rank: Int, in range: Range<Int>, typeWhere matches: (String) -> Bool
  ) throws(LogError) -> (position: Int?, matchCount: Int) {
    let index = indexing.index
    let range = range.clamped(to: 0..<index.count)
    let set = names.types(where: matches)
    var matchCount = 0
    guard rank > 0, !set.isEmpty, var block = index.place(of: range.lowerBound)?.block else {
      return (nil, 0)
    }
    while block < index.blocks.count, index.blockPositions[block] < range.upperBound {
      let start = index.blockPositions[block]
      let column = try index.blocks[block].types()
      let part = range.clamped(to: start..<start + column.count)
      let local = part.lowerBound - start..<part.upperBound - start
      let found = column.count(in: local, of: set)
      if matchCount + found >= rank {
        return (
          column.place(ofRank: rank - matchCount, in: local, of: set).map { start + $0 }, rank
        )
      }
      matchCount += found
      block += 1
    }
    return (nil, matchCount)
  }
}

extension NumberColumn {
  /// Returns how many numbers in the range are in the set.
  fileprivate func count(in range: Range<Int>, of set: IDSet) -> Int {
    range.lazy.filter { set.contains(self[$0]) }.count
  }

  /// Returns the place of the `rank`-th number in the range that is in the set, counted from 1.
  fileprivate func place(ofRank rank: Int, in range: Range<Int>, of set: IDSet) -> Int? {
    var rest = rank
    return range.first { place in
      rest -= set.contains(self[place]) ? 1 : 0
      return rest == 0
    }
  }
}
