// Where a block of the index comes from a sidecar it is read when it is first needed, so every
// search throws ``LogError`` where that file, or then the log, cannot be read.
extension LogFile {
  /// The type of the action at a position; nil where there is no such position.
  public func type(at position: Int) throws(LogError) -> String? {
    let index = indexing.index
    guard let place = index.place(of: position) else { return nil }
    return names.type(try index.blocks[place.block].types()[place.step])
  }

  /// What the step at a position writes, and how; nil where there is no such position.
  public func shape(at position: Int) throws(LogError) -> StepShape? {
    let index = indexing.index
    guard let place = index.place(of: position) else { return nil }
    return names.shape(try index.blocks[place.block].shapes()[place.step])
  }

  /// How often each type of action occurs in a range of positions, or in all of the log, as far as
  /// it is indexed; types that differ in a byte are two.
  public func typeCounts(
    in range: Range<Int>? = nil
  ) throws(LogError) -> [(type: String, count: Int)] {
    let index = indexing.index
    let range = (range ?? 0..<index.count).clamped(to: 0..<index.count)
    var counts: [Int] = []
    for (slot, start) in zip(index.blocks, index.blockPositions) where start < range.upperBound {
      let column = try slot.types()
      // A block that is read only now may have types that were not known before.
      counts += Array(repeating: 0, count: names.types.count - counts.count)
      let part = range.clamped(to: start..<start + column.count)
      column.count(
        in: part.lowerBound - start..<part.upperBound - start, into: &counts)
    }
    return zip(names.types, counts).filter { $1 > 0 }.map { (type: $0, count: $1) }
  }

  /// The stores that the header names, and those that appear in steps, sorted.
  public var storeNames: [String] {
    var stores = Set(header.stores.map { ExactName($0.name) })
    for shape in names.shapes { stores.formUnion(shape.writes.map { ExactName($0.store) }) }
    return stores.sorted().map(\.text)
  }

  /// The first position in a range whose action has a type that matches.
  public func firstPosition(
    in range: Range<Int>, typeWhere matches: (String) -> Bool
  ) throws(LogError) -> Int? {
    try first(in: range, BlockSlot.types, names.types(where: matches))
  }

  /// The last position in a range whose action has a type that matches.
  public func lastPosition(in range: Range<Int>, typeWhere matches: (String) -> Bool)
    throws(LogError) -> Int?
  {
    try last(in: range, BlockSlot.types, names.types(where: matches))
  }

  /// The first position in a range whose step has a shape that matches.
  public func firstPosition(
    in range: Range<Int>, shapeWhere matches: (StepShape) -> Bool
  ) throws(LogError) -> Int? {
    try first(in: range, BlockSlot.shapes, names.shapes(where: matches))
  }

  /// The last position in a range whose step has a shape that matches.
  public func lastPosition(in range: Range<Int>, shapeWhere matches: (StepShape) -> Bool)
    throws(LogError) -> Int?
  {
    try last(in: range, BlockSlot.shapes, names.shapes(where: matches))
  }

  /// The last position at or before `position` whose step writes a store in that way.
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
