/// One small number for each step of a block, in as few bytes as the largest of them needs.
enum IDColumn: Sendable, Equatable {
  case bytes([UInt8])
  case shorts([UInt16])
  case words([UInt32])

  init(_ ids: [UInt32]) {
    let largest = ids.max() ?? 0
    if largest <= UInt8.max {
      self = .bytes(ids.map { UInt8(truncatingIfNeeded: $0) })
    } else if largest <= UInt16.max {
      self = .shorts(ids.map { UInt16(truncatingIfNeeded: $0) })
    } else {
      self = .words(ids)
    }
  }

  var count: Int {
    switch self {
    case .bytes(let ids): ids.count
    case .shorts(let ids): ids.count
    case .words(let ids): ids.count
    }
  }

  subscript(_ place: Int) -> UInt32 {
    switch self {
    case .bytes(let ids): UInt32(ids[place])
    case .shorts(let ids): UInt32(ids[place])
    case .words(let ids): ids[place]
    }
  }

  var ids: [UInt32] {
    switch self {
    case .bytes(let ids): ids.map { UInt32($0) }
    case .shorts(let ids): ids.map { UInt32($0) }
    case .words(let ids): ids
    }
  }
}

extension IDColumn {
  /// The first place in the range whose number is in the set.
  func first(in range: Range<Int>, of set: IDSet) -> Int? {
    switch self {
    case .bytes(let ids): Self.first(in: ids[range], of: set)
    case .shorts(let ids): Self.first(in: ids[range], of: set)
    case .words(let ids): Self.first(in: ids[range], of: set)
    }
  }

  /// The last place in the range whose number is in the set.
  func last(in range: Range<Int>, of set: IDSet) -> Int? {
    switch self {
    case .bytes(let ids): Self.last(in: ids[range], of: set)
    case .shorts(let ids): Self.last(in: ids[range], of: set)
    case .words(let ids): Self.last(in: ids[range], of: set)
    }
  }

  // Columns are searched from end to end where a number is rare. A search for one number is a
  // comparison that the compiler does for many places at once.
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

  /// Adds to each number's count how often it stands in the range.
  func count(in range: Range<Int>, into counts: inout [Int]) {
    for place in range { counts[Int(self[place])] += 1 }
  }
}
