extension LogFile {
  /// Returns the action type of the step at a position; `nil` if there is no such position.
  public func type(at position: Int) -> String? {
    indexing.withIndex { $0.type(at: position) }.map(names.type)
  }

  /// The action types of the indexed part; their indices are the numbers of ``StepPass/Step/type``.
  package var typeTexts: [String] { names.types }

  /// Returns which stores the step at a position writes, and how; `nil` if there is no such
  /// position.
  public func shape(at position: Int) -> StepShape? {
    indexing.withIndex { $0.shape(at: position) }.map(names.shape)
  }

  /// Returns how often each action type occurs in a range of positions, or in the indexed part of
  /// the log.
  ///
  /// Types are compared byte by byte.
  public func typeCounts(
    in range: Range<Int>? = nil
  ) -> [(type: String, count: Int)] {
    count(\.types, in: range ?? 0..<count) { names.types }.map { (type: $0.name, count: $0.count) }
  }

  /// Returns how often each shape occurs in a range of positions.
  ///
  /// Uses only the index.
  package func shapeCounts(
    in range: Range<Int>
  ) -> [(shape: StepShape, count: Int)] {
    count(\.shapes, in: range) { names.shapes }.map { (shape: $0.name, count: $0.count) }
  }

  private func count<Name>(
    _ column: KeyPath<IndexBlock, NumberColumn>, in range: Range<Int>, _ names: () -> [Name]
  ) -> [(name: Name, count: Int)] {
    var counts: [Int] = []
    indexing.index.search(range, .forwards, column) { column, part, _ in
      column.count(in: part, into: &counts)
      return nil
    }
    return zip(names(), counts).filter { $1 > 0 }.map { (name: $0, count: $1) }
  }

  /// The stores in the header and in the steps, sorted by name.
  public var storeNames: [String] {
    writtenStores.union(header.stores.map { BytewiseName($0.name) }).sorted().map(\.text)
  }

  /// `true` if the header or some step has a store.
  func hasStore(_ name: String) -> Bool {
    declaredStores[name] != nil || writtenStores.contains(BytewiseName(name))
  }

  private var writtenStores: Set<BytewiseName> {
    names.stores(ofShapes: indexing.withIndex(\.shapeCounts))
  }

  /// Returns the nearest position in a range whose action type matches: the first one, or backwards the last one.
  public func position(
    in range: Range<Int>, _ direction: SearchDirection = .forwards,
    typeWhere matches: (String) -> Bool
  ) -> Int? {
    indexing.index.position(in: range, direction, \.types, names.types(where: matches))
  }

  /// Returns the nearest position in a range whose step has a matching shape: the first one, or backwards the last one.
  public func position(
    in range: Range<Int>, _ direction: SearchDirection = .forwards,
    shapeWhere matches: (StepShape) -> Bool
  ) -> Int? {
    indexing.index.position(in: range, direction, \.shapes, names.shapes(where: matches))
  }

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
  public func position(
    ofRank rank: Int, in range: Range<Int>, typeWhere matches: (String) -> Bool
  ) -> (position: Int?, matchCount: Int) {
    guard rank > 0 else { return (nil, 0) }
    let set = names.types(where: matches)
    var matchCount = 0
    let position = indexing.index.search(range, .forwards, \.types) { column, part, _ in
      part.first { index in
        matchCount += set.contains(column[index]) ? 1 : 0
        return matchCount == rank
      }
    }
    return (position, matchCount)
  }
}

extension LogFile {
  /// The source lines that steps name; their indices are the numbers of ``forEachSource(in:_:)``.
  package var sourceTexts: [String] { names.sources }

  /// Calls `body` with each position in a range whose step names a source line, and the number of that line.
  ///
  /// Uses only the index.
  package func forEachSource(
    in range: Range<Int>, _ body: (_ position: Int, _ source: Int) -> Void
  ) {
    indexing.index.search(range, .forwards, \.sources) { column, part, start in
      for (index, number) in zip(part, column.numbers(in: part)) where number != LogNames.noSource {
        body(start + index, Int(number) - 1)
      }
      return nil
    }
  }
}
