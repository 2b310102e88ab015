public import FluxJSON

/// A condition that ends a move through the log.
public enum StopCondition: Sendable {
  /// A step with a matching action type that satisfies the expression, if there is one.
  case action(Glob, where: QueryExpression?)
  /// A step that satisfies the expression.
  case expression(QueryExpression)
  /// A step that changes the value of a query and satisfies the expression, if there is one.
  case change(ValueQuery, where: QueryExpression?)
  /// A step that was rejected.
  case rejection
  /// The first step after a gap or after damage.
  case gap
  /// A step at one of these positions, in order, that satisfies the expression, if there is one.
  ///
  /// The caller knows the positions from another source.
  case positions([Int], where: QueryExpression? = nil)
}

/// A step that ends a move, and the conditions that it meets.
public struct Stop: Sendable, Equatable {
  /// The position of the step.
  public let position: Int
  /// The indices of the conditions that are met.
  public let conditions: [Int]
}

extension [Int] {
  /// The first element in a range, or the last; the elements are in order.
  fileprivate func nearest(in range: Range<Int>, _ direction: SearchDirection) -> Int? {
    if direction == .forwards {
      let index = partitioningIndex { $0 >= range.lowerBound }
      return index < count && self[index] < range.upperBound ? self[index] : nil
    }
    let index = partitioningIndex { $0 >= range.upperBound }
    return index > 0 && self[index - 1] >= range.lowerBound ? self[index - 1] : nil
  }
}

extension Timeline {
  /// Finds the first step of a range, in the direction of the search, that meets one of several
  /// conditions.
  ///
  /// - Parameters:
  ///   - conditions: The conditions to stop at.
  ///   - range: The positions to search.
  ///   - direction: Forwards finds the first such step, backwards the last.
  ///   - check: Called often. An error ends the search.
  /// - Returns: The nearest such step with all conditions that it meets; `nil` if there is none. A
  ///   condition is not met if a state that it needs is unknown.
  /// - Throws: ``LogError`` if a line cannot be read, `QueryError` if a query is too expensive, and
  ///   any error of `check`.
  public func stop(
    at conditions: [StopCondition], in range: Range<Int>, _ direction: SearchDirection,
    check: @escaping () throws -> Void = {}
  ) throws -> Stop? {
    var range = range.clamped(to: 0..<max(0, log.count))
    var found: [Int?] = []
    // Each search ends where an earlier one found a nearer step.
    for condition in conditions {
      let stop = try nearest(condition, in: range, direction, check)
      found.append(stop)
      guard let stop else { continue }
      range = direction == .forwards ? range.lowerBound..<stop + 1 : stop..<range.upperBound
    }
    let positions = found.compactMap { $0 }
    guard let nearest = direction == .forwards ? positions.min() : positions.max() else {
      return nil
    }
    return Stop(position: nearest, conditions: found.indices.filter { found[$0] == nearest })
  }

  /// Returns the number of steps in a range at which conditions cannot be evaluated, because a state that decides is unknown.
  ///
  /// - Throws: `LogError` if a line cannot be read, and the errors of `check`.
  public func unjudgedSteps(
    of conditions: [StopCondition], in range: Range<Int>, check: @escaping () throws -> Void = {}
  ) throws -> Int {
    guard !log.breaks.isEmpty || log.hasUnwrittenStates else { return 0 }
    var unjudged: Set<Int> = []
    for condition in conditions {
      switch condition {
      case .action(_, let expression?), .expression(let expression),
        .positions(_, let expression?):
        let question = DocumentQuestion(expression, in: self)
        try insert(&unjudged, at: condition, in: range, question, check)
      case .change(let query, _):
        let footprint = query.footprint
        let stores = footprint.readsStatesOnly ? footprint.stores ?? log.storeNames : nil
        let question = DocumentQuestion(query, in: self)
        try insert(&unjudged, at: condition, in: range, question, check) { position in
          // A step that changed none of the stores did not change the value.
          try stores?.contains { try isChanged($0, at: position) != false } ?? true
        }
      case .action(_, nil), .positions(_, nil), .rejection, .gap: break
      }
    }
    return unjudged.count
  }

  /// Inserts the steps that a condition would examine, at which a question has no answer and `isOpen` is true.
  private func insert<Answer>(
    _ unjudged: inout Set<Int>, at condition: StopCondition, in range: Range<Int>,
    _ question: DocumentQuestion<Answer>, _ check: @escaping () throws -> Void,
    isOpen: (Int) throws -> Bool = { _ in true }
  ) throws {
    var rest = range
    while let position = candidate(of: condition, in: rest) {
      try check()
      if try question.answer(at: position, check: check) == nil, try isOpen(position) {
        unjudged.insert(position)
      }
      rest = position + 1..<rest.upperBound
    }
  }

  /// Returns the first step of a range that a condition examines.
  private func candidate(of condition: StopCondition, in range: Range<Int>) -> Int? {
    switch condition {
    case .action(let glob, _): log.position(in: range, typeWhere: glob.matches)
    case .positions(let positions, _): positions.nearest(in: range, .forwards)
    case .expression, .change, .rejection, .gap: range.first
    }
  }

  private func nearest(
    _ condition: StopCondition, in range: Range<Int>, _ direction: SearchDirection,
    _ check: @escaping () throws -> Void
  ) throws -> Int? {
    switch condition {
    case .action(let glob, let expression):
      return try nearest(in: range, direction, expression, check) { range in
        log.position(in: range, direction, typeWhere: glob.matches)
      }
    case .expression(let expression):
      let found = try find(.expression(expression), in: range, direction, limit: 1) { _, _ in
        try check()
      }
      return found.positions.first
    case .change(let query, let expression):
      let watch = ValueWatch(query, in: self, check: check)
      return try nearest(in: range, direction, expression, check) { range in
        try watch.change(in: range, direction)
      }
    case .rejection:
      return log.position(in: range, direction, shapeWhere: \.isRejected)
    case .gap:
      let positions = log.breaks.lazy.map(\.position).filter(range.contains)
      return direction == .forwards ? positions.first : positions.last
    case .positions(let positions, let expression):
      return try nearest(in: range, direction, expression, check) { range in
        positions.nearest(in: range, direction)
      }
    }
  }

  /// Returns the nearest step returned by `next` that satisfies the expression.
  private func nearest(
    in range: Range<Int>, _ direction: SearchDirection, _ expression: QueryExpression?,
    _ check: @escaping () throws -> Void, _ next: (Range<Int>) throws -> Int?
  ) throws -> Int? {
    let question = expression.map { DocumentQuestion($0, in: self) }
    var rest = range
    while !rest.isEmpty, let found = try next(rest) {
      try check()
      guard let question else { return found }
      if try question.answer(at: found, check: check) == true { return found }
      rest = direction.rest(of: rest, beyond: found)
    }
    return nil
  }
}
