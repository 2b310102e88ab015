public import FluxJSON

/// The result of a search over many steps.
public struct SearchResult: Sendable, Equatable {
  /// The positions of the matching steps, in the order of the search.
  public internal(set) var positions: [Int] = []
  /// The number of steps whose result is unknown, because a state that decides is unknown.
  public internal(set) var unknownSteps = 0
}

/// The result of a bisection.
public struct TurningPoint: Sendable, Equatable {
  /// The first position at which the expression holds; `nil` if it does not hold at the end.
  public let position: Int?
  /// `false` if the expression holds at the start of the range and not at its end, so that it did
  /// not simply turn true once.
  public let isMonotone: Bool
}

extension Timeline {
  /// Finds the steps of a range that match a filter.
  ///
  /// A glob uses only the index. A text is looked for in the actions alone. For an expression, reads the parts of each step
  /// that the expression needs, and skips steps that cannot have changed the result.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - range: The positions to search; `nil` for the whole log. ``start`` is not a step.
  ///   - direction: The direction of the search.
  ///   - limit: The maximum number of steps to find.
  ///   - progress: Called from time to time with the number of searched steps and of all steps in
  ///     the range. An error ends the search.
  /// - Returns: The steps, and the number of steps whose result is unknown.
  /// - Throws: ``LogError`` if a line cannot be read, `QueryError` if the expression is too
  ///   expensive, and any error of `progress`.
  public func find(
    _ filter: StepFilter, in range: Range<Int>? = nil, _ direction: SearchDirection = .forwards,
    limit: Int = .max, progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> SearchResult {
    let range = (range ?? positions).clamped(to: 0..<max(0, log.count))
    var result = SearchResult()
    guard limit > 0 else { return result }
    switch filter {
    case .glob(let glob):
      var rest = range
      while let found = log.position(in: rest, direction, typeWhere: glob.matches) {
        try progress(range.count - rest.count, range.count)
        result.positions.append(found)
        rest = direction.rest(of: rest, beyond: found)
        guard result.positions.count < limit else { break }
      }
    case .text(let text, _):
      result.positions = try positions(
        of: TextNeedle(text), in: range, direction, limit: limit,
        check: { try progress($0, range.count) })
    case .expression(let expression):
      let scan = Scan(DocumentQuestion(expression, in: self), range, direction)
      let check = { (rest: Range<Int>) in try progress(range.count - rest.count, range.count) }
      _ = try scan.run(check: check) { run in
        switch run.answer {
        case true?:
          let found = direction.beginning(of: run.positions, count: limit - result.positions.count)
          result.positions += direction == .forwards ? Array(found) : found.reversed()
        case false?: break
        case nil: result.unknownSteps += run.positions.count
        }
        return result.positions.count < limit
      }
    }
    return result
  }

  /// Finds by bisection the step at which an expression turned from false to true.
  ///
  /// - Parameters:
  ///   - expression: The expression to evaluate after each step.
  ///   - range: The positions to search, ``start`` included; `nil` for all.
  ///   - direction: The order of the positions. Backwards, the range begins with its last position.
  ///   - check: Called often. An error ends the search.
  /// - Returns: The step, or the start of the range if the expression already holds there; `nil`
  ///   for an empty range. A bisection can notice only one violation of its assumption: an
  ///   expression that holds at the start and not at the end.
  /// - Throws: ``LogError`` if a line cannot be read or a state is unknown, `QueryError` if the
  ///   expression is too expensive, and any error of `check`.
  public func bisect(
    _ expression: QueryExpression, in range: Range<Int>? = nil,
    _ direction: SearchDirection = .forwards, check: @escaping () throws -> Void = {}
  ) throws -> TurningPoint? {
    try bisect(expression, in: range, direction, of: document(at:), check: check)
  }

  /// Finds the step in other documents of the positions, which may have states that the log lacks.
  package func bisect(
    _ expression: QueryExpression, in range: Range<Int>?, _ direction: SearchDirection,
    of document: (_ position: Int) throws -> QueryDocument, check: @escaping () throws -> Void
  ) throws -> TurningPoint? {
    let range = (range ?? positions).clamped(to: positions)
    guard !range.isEmpty else { return nil }
    let last = range.count - 1
    func position(_ index: Int) -> Int {
      range.lowerBound + (direction == .forwards ? index : last - index)
    }
    func holds(_ index: Int) throws -> Bool {
      try check()
      return try expression.holds(for: document(position(index)), check: check)
    }
    let holdsAtFirst = try holds(0)
    guard try holds(last) else { return TurningPoint(position: nil, isMonotone: !holdsAtFirst) }
    guard !holdsAtFirst else { return TurningPoint(position: position(0), isMonotone: true) }
    let index = try (1..<last).partitioningIndex(where: holds)
    return TurningPoint(position: position(index), isMonotone: true)
  }
}
