extension LogFile {
  /// The type of the action at a position; nil where there is no such position.
  public func type(at position: Int) -> String? {
    let index = indexing.index
    return index.place(of: position).map { names.type(index.blocks[$0.block].types[$0.step]) }
  }

  /// What the step at a position writes, and how; nil where there is no such position.
  public func shape(at position: Int) -> StepShape? {
    let index = indexing.index
    return index.place(of: position).map { names.shape(index.blocks[$0.block].shapes[$0.step]) }
  }

  /// How often each type of action occurs, as far as the log is indexed.
  public func typeCounts() -> [String: Int] {
    let index = indexing.index
    let types = names.types
    var counts = Array(repeating: 0, count: types.count)
    for block in index.blocks { block.types.count(in: 0..<block.count, into: &counts) }
    return Dictionary(uniqueKeysWithValues: zip(types, counts)).filter { $0.value > 0 }
  }

  /// The stores that the header names, and those that appear in steps, sorted.
  public var storeNames: [String] {
    var stores = Set(header.stores.map(\.name))
    for shape in names.shapes { stores.formUnion(shape.writes.map(\.store)) }
    return stores.sorted()
  }

  /// The first position in a range whose action has a type that matches.
  public func firstPosition(
    in range: Range<Int>, typeWhere matches: (String) -> Bool
  ) -> Int? {
    first(in: range, \.types, names.types(where: matches))
  }

  /// The last position in a range whose action has a type that matches.
  public func lastPosition(in range: Range<Int>, typeWhere matches: (String) -> Bool) -> Int? {
    last(in: range, \.types, names.types(where: matches))
  }

  /// The first position in a range whose step has a shape that matches.
  public func firstPosition(
    in range: Range<Int>, shapeWhere matches: (StepShape) -> Bool
  ) -> Int? {
    first(in: range, \.shapes, names.shapes(where: matches))
  }

  /// The last position in a range whose step has a shape that matches.
  public func lastPosition(in range: Range<Int>, shapeWhere matches: (StepShape) -> Bool) -> Int? {
    last(in: range, \.shapes, names.shapes(where: matches))
  }

  /// The last position at or before `position` whose step writes a store in that way.
  public func lastWrite(
    of store: String, atOrBefore position: Int, kind: WriteKind? = nil
  ) -> Int? {
    lastPosition(in: 0..<max(0, position + 1)) { shape in
      guard let found = shape.kind(of: store) else { return false }
      return kind == nil || found == kind
    }
  }

  // MARK: Columns

  private func first(
    in range: Range<Int>, _ column: (IndexBlock) -> IDColumn, _ set: IDSet
  ) -> Int? {
    let index = indexing.index
    let range = range.clamped(to: 0..<index.count)
    guard !set.isEmpty, var block = index.place(of: range.lowerBound)?.block else { return nil }
    while block < index.blocks.count, index.blockPositions[block] < range.upperBound {
      let start = index.blockPositions[block]
      let column = column(index.blocks[block])
      let part = range.clamped(to: start..<start + column.count)
      let local = part.lowerBound - start..<part.upperBound - start
      if let found = column.first(in: local, of: set) { return start + found }
      block += 1
    }
    return nil
  }

  private func last(
    in range: Range<Int>, _ column: (IndexBlock) -> IDColumn, _ set: IDSet
  ) -> Int? {
    let index = indexing.index
    let range = range.clamped(to: 0..<index.count)
    guard !set.isEmpty, var block = index.place(of: range.upperBound - 1)?.block else { return nil }
    while block >= 0 {
      let start = index.blockPositions[block]
      let column = column(index.blocks[block])
      guard start + column.count > range.lowerBound else { return nil }
      let part = range.clamped(to: start..<start + column.count)
      let local = part.lowerBound - start..<part.upperBound - start
      if let found = column.last(in: local, of: set) { return start + found }
      block -= 1
    }
    return nil
  }
}
