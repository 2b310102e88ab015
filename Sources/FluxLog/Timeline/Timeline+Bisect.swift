/// The result of a bisection.
public struct Bisection: Sendable, Equatable {
  /// The first position at which the expression holds; `nil` if it does not hold at the end.
  public let position: Int?
  /// `false` if the expression holds at the start of the range and not at its end, so that it did
  /// not simply turn true once.
  public let isMonotone: Bool
}

extension Timeline {
  /// Finds by bisection the step at which an expression turned from false to true.
  ///
  /// - Parameters:
  ///   - expression: The expression to evaluate after each step.
  ///   - range: The positions to search, ``start`` included; `nil` for all.
  ///   - check: Called often. An error ends the search.
  /// - Returns: The step, or the start of the range if the expression already holds there; `nil`
  ///   for an empty range. A bisection can notice only one violation of its assumption: an
  ///   expression that holds at the start and not at the end.
  /// - Throws: ``LogError`` if a line cannot be read or a state is unknown, `QueryError` if the
  ///   expression is too expensive, and any error of `check`.
  public func bisect(
    _ expression: StepExpression, in range: Range<Int>? = nil,
    check: @escaping () throws -> Void = {}
  ) throws -> Bisection? {
    let range = (range ?? positions).clamped(to: positions)
    guard let first = range.first, let last = range.last else { return nil }
    func holds(_ position: Int) throws -> Bool {
      try check()
      return try expression.holds(for: document(at: position), check: check)
    }
    let holdsAtFirst = try holds(first)
    guard try holds(last) else { return Bisection(position: nil, isMonotone: !holdsAtFirst) }
    guard !holdsAtFirst else { return Bisection(position: first, isMonotone: true) }
    var (low, high) = (first, last)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if try holds(middle) { high = middle } else { low = middle }
    }
    return Bisection(position: high, isMonotone: true)
  }
}
