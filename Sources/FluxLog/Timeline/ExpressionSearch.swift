import FluxJSON

/// The search for the steps for which an expression holds.
struct ExpressionSearch {
  private let timeline: Timeline
  private let expression: QueryExpression
  /// The stores that the expression reads, if it reads only the states after a step; otherwise `nil`.
  private let stores: Set<String>?
  /// The step that was asked last, and the answer.
  private var last: (position: Int, holds: Bool?)?
  /// The number of steps whose result is unknown, because a state that decides is unknown.
  private(set) var unknownSteps = 0

  init(_ expression: QueryExpression, in timeline: Timeline) {
    (self.timeline, self.expression) = (timeline, expression)
    stores = expression.footprint.readsStatesOnly ? expression.footprint.stores : nil
  }

  /// Calls `visit` with each step of a range for which the expression holds, until it returns `false`.
  ///
  /// - Parameters:
  ///   - range: The positions to search.
  ///   - direction: The order of the search.
  ///   - check: Called often with the number of steps that were passed. An error ends the search.
  ///   - visit: Receives the positions in that order.
  /// - Throws: ``LogError`` if a line cannot be read, `QueryError` if the expression is too expensive, and any error of
  ///   `check`.
  mutating func run(
    _ range: Range<Int>, _ direction: SearchDirection, check: @escaping (Int) throws -> Void,
    _ visit: (Int) -> Bool
  ) throws {
    var search = PieceSearch(direction) { [timeline, expression] piece in
      timeline.matches(of: expression, in: piece)
    }
    /// Asks about each step of a piece; returns `false` to stop.
    func ask(_ piece: Range<Int>, after passed: Int) throws -> Bool {
      for place in 0..<piece.count {
        if place % 256 == 0 { try check(passed + place) }
        let position = direction.position(place, in: piece)
        guard try isMet(at: position, check: { try check(passed + place) }) == true else {
          continue
        }
        guard visit(position) else { return false }
      }
      return true
    }
    // A step near the start is found without a pass.
    let near = direction.beginning(of: range, count: 64)
    guard try ask(near, after: 0) else { return }
    var rest = direction.rest(of: range, beyondPiece: near)
    while !rest.isEmpty {
      try check(range.count - rest.count)
      for (piece, matches) in search.next(in: rest) {
        let goesOn =
          if let matches {
            (direction == .forwards ? matches : matches.reversed()).allSatisfy(visit)
          } else {
            try ask(piece, after: range.count - rest.count)
          }
        guard goesOn else { return }
        rest = direction.rest(of: rest, beyondPiece: piece)
      }
    }
  }

  /// Returns `true` if the expression holds for a step; `nil` if a state that decides is unknown.
  mutating func isMet(at position: Int, check: @escaping () throws -> Void) throws -> Bool? {
    let holds: Bool?
    if let last, isSame(position, as: last.position) {
      holds = last.holds
    } else {
      holds = try LogError.ifKnown {
        try expression.holds(for: timeline.document(at: position), check: check)
      }
    }
    unknownSteps += holds == nil ? 1 : 0
    last = (position, holds)
    return holds
  }

  /// `true` if a step must have the same result as its neighbor, because no relevant store was
  /// written between the two.
  private func isSame(_ position: Int, as other: Int) -> Bool {
    guard let stores, abs(position - other) == 1 else { return false }
    let later = max(position, other)
    guard let shape = timeline.log.shape(at: later) else { return false }
    if shape.writes.contains(where: { stores.contains($0.store) }) { return false }
    return !timeline.baseline(of: later).afterGap
  }
}
