extension LogFile {
  /// Finds the step of a range whose action is the one of that rank among those with a type that
  /// matches.
  ///
  /// Counts in the index, a few nanoseconds a step.
  ///
  /// - Parameters:
  ///   - rank: Which of them, counted from 1.
  ///   - range: Where to look.
  ///   - matches: Which types are meant.
  /// - Returns: Its position, nil where there are fewer; and how many there are up to it.
  /// - Throws: ``LogError`` where the index cannot be read.
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
  /// How many numbers in the range are in the set.
  fileprivate func count(in range: Range<Int>, of set: IDSet) -> Int {
    range.lazy.filter { set.contains(self[$0]) }.count
  }

  /// The place of the number of that rank, counted from 1, among those that are in the set.
  fileprivate func place(ofRank rank: Int, in range: Range<Int>, of set: IDSet) -> Int? {
    var rest = rank
    return range.first { place in
      rest -= set.contains(self[place]) ? 1 : 0
      return rest == 0
    }
  }
}
