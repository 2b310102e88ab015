extension NumberColumn {
  /// Returns the first place in the range whose number is in the set.
  func first(in range: Range<Int>, of set: IDSet) -> Int? {
    switch self {
    case .same(let number, _): set.contains(number) ? range.first : nil
    case .bytes(let ids): Self.first(in: ids[range], of: set)
    case .shorts(let ids): Self.first(in: ids[range], of: set)
    case .words(let ids): Self.first(in: ids[range], of: set)
    }
  }

  /// Returns the last place in the range whose number is in the set.
  func last(in range: Range<Int>, of set: IDSet) -> Int? {
    switch self {
    case .same(let number, _): set.contains(number) ? range.last : nil
    case .bytes(let ids): Self.last(in: ids[range], of: set)
    case .shorts(let ids): Self.last(in: ids[range], of: set)
    case .words(let ids): Self.last(in: ids[range], of: set)
    }
  }

  // A search for a rare number visits the whole column. For a single number, the compiler
  // vectorizes the comparison of a chunk.
  private static func first<ID: FixedWidthInteger & UnsignedInteger>(
    in ids: ArraySlice<ID>, of set: IDSet
  ) -> Int? {
    guard let only = set.only else { return ids.firstIndex { set.contains(UInt32($0)) } }
    guard let id = ID(exactly: only) else { return nil }
    var start = ids.startIndex
    while start < ids.endIndex {
      let end = min(start + 64, ids.endIndex)
      let chunk = ids[start..<end]
      if Self.contains(chunk, id) { return chunk.firstIndex(of: id) }
      start = end
    }
    return nil
  }

  private static func last<ID: FixedWidthInteger & UnsignedInteger>(
    in ids: ArraySlice<ID>, of set: IDSet
  ) -> Int? {
    guard let only = set.only else { return ids.lastIndex { set.contains(UInt32($0)) } }
    guard let id = ID(exactly: only) else { return nil }
    var end = ids.endIndex
    while end > ids.startIndex {
      let start = max(end - 64, ids.startIndex)
      let chunk = ids[start..<end]
      if Self.contains(chunk, id) { return chunk.lastIndex(of: id) }
      end = start
    }
    return nil
  }

  @inline(__always)
  private static func contains<ID: FixedWidthInteger & UnsignedInteger>(
    _ ids: ArraySlice<ID>, _ id: ID
  ) -> Bool {
    var difference: ID = .max
    for other in ids { difference = min(difference, other ^ id) }
    return difference == 0
  }

  /// Adds the number of occurrences of each number in the range to its count.
  func count(in range: Range<Int>, into counts: inout [Int]) {
    switch self {
    case .same(let number, _): counts[Int(number)] += range.count
    case .bytes(let numbers): for number in numbers[range] { counts[Int(number)] += 1 }
    case .shorts(let numbers): for number in numbers[range] { counts[Int(number)] += 1 }
    case .words(let numbers): for number in numbers[range] { counts[Int(number)] += 1 }
    }
  }
}
