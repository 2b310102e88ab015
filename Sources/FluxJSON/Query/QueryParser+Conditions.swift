extension QueryParser {
  /// Parses operands joined by `||`, the operator with the lowest precedence.
  mutating func condition() throws(QueryError) -> Condition {
    try nested { (parser) throws(QueryError) in
      try parser.joined(by: "||", make: Condition.any) { (parser) throws(QueryError) in
        try parser.conjunction()
      }
    }
  }

  private mutating func conjunction() throws(QueryError) -> Condition {
    try joined(by: "&&", make: Condition.all) { (parser) throws(QueryError) in
      try parser.basicCondition()
    }
  }

  private mutating func joined(
    by joint: String, make: ([Condition]) -> Condition,
    _ part: (inout QueryParser) throws(QueryError) -> Condition
  ) throws(QueryError) -> Condition {
    var parts = [try part(&self)]
    while true {
      let start = offset
      skipBlanks()
      guard take(joint) else {
        offset = start
        break
      }
      skipBlanks()
      parts.append(try part(&self))
    }
    skipBlanks()
    return parts.count == 1 ? parts[0] : make(parts)
  }

  private mutating func basicCondition() throws(QueryError) -> Condition {
    guard take("!") else {
      if let condition = try parenthesis() { return condition }
      return try comparisonOrTest()
    }
    skipBlanks()
    if let condition = try parenthesis() { return .not(condition) }
    let start = offset
    let term = try term()
    skipBlanks()
    guard comparison == nil else {
      throw failure(
        "'!' cannot precede a comparison", hint: "put the comparison in parentheses")
    }
    return .not(try test(term, start: start))
  }

  private mutating func parenthesis() throws(QueryError) -> Condition? {
    guard take("(") else { return nil }
    skipBlanks()
    let condition = try condition()
    skipBlanks()
    guard take(")") else { throw unexpected("'&&', '||' or ')'") }
    return condition
  }

  private mutating func comparisonOrTest() throws(QueryError) -> Condition {
    let start = offset
    let left = try term()
    let afterLeft = offset
    skipBlanks()
    guard let comparison else {
      offset = afterLeft
      return try test(left, start: start)
    }
    let leftOperand = try operand(left, start: start)
    _ = take(comparison.rawValue)
    skipBlanks()
    let rightStart = offset
    let right = try operand(term(), start: rightStart)
    return .comparison(leftOperand, comparison, right)
  }

  /// The comparison operator at the offset; nil if there is none.
  private var comparison: Comparison? {
    Comparison.allCases.first { comparison in
      comparison.rawValue.unicodeScalars.enumerated().allSatisfy { peek($0.offset) == $0.element }
    }
  }

  /// Converts a term to a condition.
  private func test(_ term: Term, start: Int) throws(QueryError) -> Condition {
    switch term {
    case .condition(let condition): return condition
    case .query(let query): return .exists(query)
    case .literal:
      throw failure(
        "a literal is not a condition", at: start, hint: "compare something with it, as in a == 1")
    case .operand:
      throw failure(
        "the value of a function is not a condition", at: start,
        hint: "compare it with something, as in length(@.a) > 0")
    }
  }

  /// Converts a term to an operand with at most one value.
  func operand(_ term: Term, start: Int) throws(QueryError) -> Operand {
    switch term {
    case .literal(let value): return .literal(value)
    case .operand(let operand): return operand
    case .query(let query):
      guard query.path.isSingular else {
        throw failure(
          "this path can select more than one value", at: start,
          hint: "use only names and indices here, or value(PATH) for a single value")
      }
      return .query(query)
    case .condition:
      throw failure("a condition is not a value", at: start)
    }
  }
}
