/// Which way a search goes.
public enum SearchDirection: Sendable {
  /// Towards the end of the log.
  case forwards
  /// Towards its beginning.
  case backwards
}

/// What a search over many steps found.
public struct SearchResult: Sendable, Equatable {
  /// The positions of the steps that match, in the order of the search.
  public internal(set) var positions: [Int] = []
  /// How many steps could not be judged, as a state that decides is not known there.
  public internal(set) var unknownSteps = 0
}

extension Timeline {
  /// Finds the steps of a range that a filter is met by.
  ///
  /// A glob is answered by the index. For an expression a step's line and states are read as far
  /// as the expression reads them, and not again where a step cannot have changed the answer.
  ///
  /// - Parameters:
  ///   - filter: Which steps are meant.
  ///   - range: Where to look; nil for the whole log. ``start`` is no step.
  ///   - direction: Which way.
  ///   - limit: How many to find at most.
  ///   - progress: Called now and then with the steps that are done and all in the range; what it
  ///     throws ends the search.
  /// - Returns: The steps, and how many could not be judged.
  /// - Throws: ``LogError`` where a line cannot be read, `QueryError` where the expression asks for
  ///   too much, and what `progress` throws.
  public func find(
    _ filter: StepFilter, in range: Range<Int>? = nil, _ direction: SearchDirection = .forwards,
    limit: Int = .max, progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> SearchResult {
    let range = (range ?? positions).clamped(to: 0..<max(0, log.count))
    var result = SearchResult()
    var probe = StepProbe(filter, in: self)
    var rest = range
    while !rest.isEmpty, result.positions.count < limit {
      let done = range.count - rest.count
      let found = try probe.next(in: rest, direction) { [count = range.count] passed in
        try progress(done + passed, count)
      }
      guard let found else { break }
      result.positions.append(found)
      rest =
        direction == .forwards
        ? found + 1..<rest.upperBound : rest.lowerBound..<found
    }
    result.unknownSteps = probe.unknownSteps
    return result
  }

  /// Counts the steps of a range that a filter is met by.
  ///
  /// - Throws: as ``find(_:in:_:limit:progress:)``.
  public func count(
    _ filter: StepFilter, in range: Range<Int>? = nil,
    progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> Int {
    try find(filter, in: range, progress: progress).positions.count
  }
}
