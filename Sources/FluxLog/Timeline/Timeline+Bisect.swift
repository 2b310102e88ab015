/// Where a search by halves ended.
public struct Bisection: Sendable, Equatable {
  /// The position at which the expression turned true; nil where it does not hold at the end.
  public let position: Int?
  /// False where a probe contradicts that it turned true once and stayed so.
  public let isMonotone: Bool
}

extension Timeline {
  /// Finds by halves the step at which an expression turned from false to true.
  ///
  /// - Parameters:
  ///   - expression: What is asked of the steps.
  ///   - range: Where to look; nil for all, ``start`` included.
  ///   - check: Called often; what it throws ends the search.
  /// - Returns: The step; the beginning of the range where the expression holds there already. An
  ///   expression that holds at the beginning and not at the end is the one counterexample that
  ///   halves can meet: all other probes lie between one where it does not hold and one where it
  ///   does. Nil for a range without a position.
  /// - Throws: ``LogError`` where a line cannot be read or a state is not known, `QueryError` where
  ///   the expression asks for too much, and what `check` throws.
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
