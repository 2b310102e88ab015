// A block from a sidecar is read when it is first used. So every search throws ``LogError`` if the
// sidecar, or then the log, cannot be read.
extension LogFile {
  /// Returns the action type of the step at a position; `nil` if there is no such position.
  public func type(at position: Int) throws(LogError) -> String? {
    let index = indexing.index
    guard let place = index.place(of: position) else { return nil }
    return names.type(try index.blocks[place.block].types()[place.step])
  }

  /// Returns which stores the step at a position writes, and how; `nil` if there is no such
  /// position.
  public func shape(at position: Int) throws(LogError) -> StepShape? {
    let index = indexing.index
    guard let place = index.place(of: position) else { return nil }
    return names.shape(try index.blocks[place.block].shapes()[place.step])
  }

  /// Returns how often each action type occurs in a range of positions, or in the indexed part of
  /// the log.
  ///
  /// Types are compared byte by byte.
  public func typeCounts(
    in range: Range<Int>? = nil
  ) throws(LogError) -> [(type: String, count: Int)] {
    let index = indexing.index
    let range = (range ?? 0..<index.count).clamped(to: 0..<index.count)
    var counts: [Int] = []
    for (slot, start) in zip(index.blocks, index.blockPositions) where start < range.upperBound {
      let column = try slot.types()
      // A block that is read now may add types.
      counts += Array(repeating: 0, count: names.types.count - counts.count)
      let part = range.clamped(to: start..<start + column.count)
      column.count(
        in: part.lowerBound - start..<part.upperBound - start, into: &counts)
    }
    return zip(names.types, counts).filter { $1 > 0 }.map { (type: $0, count: $1) }
  }

  /// The stores in the header and in the steps, sorted by name.
  public var storeNames: [String] {
    var stores = Set(header.stores.map { BytewiseName($0.name) })
    for shape in names.shapes { stores.formUnion(shape.writes.map { BytewiseName($0.store) }) }
    return stores.sorted().map(\.text)
  }

  /// Returns the first position in a range whose action type matches.
  public func firstPosition(
    in range: Range<Int>, typeWhere matches: (String) -> Bool
  ) throws(LogError) -> Int? {
    try first(in: range, BlockSlot.types, names.types(where: matches))
  }

  /// Returns the last position in a range whose action type matches.
  public func lastPosition(in range: Range<Int>, typeWhere matches: (String) -> Bool)
    throws(LogError) -> Int?
  {
    try last(in: range, BlockSlot.types, names.types(where: matches))
  }

  /// Returns the first position in a range whose step has a matching shape.
  public func firstPosition(
    in range: Range<Int>, shapeWhere matches: (StepShape) -> Bool
  ) throws(LogError) -> Int? {
    try first(in: range, BlockSlot.shapes, names.shapes(where: matches))
  }

  /// Returns the last position in a range whose step has a matching shape.
  public func lastPosition(in range: Range<Int>, shapeWhere matches: (StepShape) -> Bool)
    throws(LogError) -> Int?
  {
    try last(in: range, BlockSlot.shapes, names.shapes(where: matches))
  }

  /// Returns the last position up to `position` whose step writes a store, or writes it in the
  /// given way.
  public func lastWrite(
    of store: String, atOrBefore position: Int, kind: WriteKind? = nil
  ) throws(LogError) -> Int? {
    try lastPosition(in: 0..<max(0, position + 1)) { shape in
      guard let found = shape.kind(of: store) else { return false }
      return kind == nil || found == kind
    }
  }

  // MARK: Columns

  private func first(
    in range: Range<Int>, _ column: (BlockSlot) -> () throws(LogError) -> NumberColumn, _ set: IDSet
  ) throws(LogError) -> Int? {
    let index = indexing.index
    let range = range.clamped(to: 0..<index.count)
    guard !set.isEmpty, var block = index.place(of: range.lowerBound)?.block else { return nil }
    while block < index.blocks.count, index.blockPositions[block] < range.upperBound {
      let start = index.blockPositions[block]
      let column = try column(index.blocks[block])()
      let part = range.clamped(to: start..<start + column.count)
      let local = part.lowerBound - start..<part.upperBound - start
      if let found = column.first(in: local, of: set) { return start + found }
      block += 1
    }
    return nil
  }

  private func last(
    in range: Range<Int>, _ column: (BlockSlot) -> () throws(LogError) -> NumberColumn, _ set: IDSet
  ) throws(LogError) -> Int? {
    let index = indexing.index
    let range = range.clamped(to: 0..<index.count)
    guard !set.isEmpty, var block = index.place(of: range.upperBound - 1)?.block else { return nil }
    while block >= 0 {
      let start = index.blockPositions[block]
      let column = try column(index.blocks[block])()
      guard start + column.count > range.lowerBound else { return nil }
      let part = range.clamped(to: start..<start + column.count)
      let local = part.lowerBound - start..<part.upperBound - start
      if let found = column.last(in: local, of: set) { return start + found }
      block -= 1
    }
    return nil
  }
}
