extension QueryParser {
  /// A part of a comparison, a test or an argument list.
  enum Term {
    case literal(JSON)
    case query(Query)
    /// A call of a function that returns a value.
    case operand(Operand)
    /// A call of a function that returns a logical result.
    case condition(Condition)
  }

  mutating func term() throws(QueryError) -> Term {
    if let literal = try literal() { return .literal(literal) }
    if let call = try functionCall() { return call }
    guard let path = try path() else {
      throw unexpected("a path, a literal or a function", start: offset)
    }
    return .query(query(path))
  }

  /// Returns a query for the path, with a slot if it is absolute and inside a filter.
  ///
  /// With a slot, the query runs once instead of once per node that the filter tests.
  mutating func query(_ path: Path) -> Query {
    guard filterDepth > 0, path.root == .document else { return Query(path: path, slot: nil) }
    defer { slotCount += 1 }
    return Query(path: path, slot: slotCount)
  }

  /// Parses a number, string, `true`, `false` or `null`; returns nil if none starts here.
  private mutating func literal() throws(QueryError) -> JSON? {
    switch current {
    case "'", "\"": return JSON(stringLiteral: try quotedString())
    case let scalar? where scalar == "-" || scalar.isDigit: return try number()
    default: return keyword()
    }
  }

  private mutating func keyword() -> JSON? {
    let start = offset
    switch takeName() {
    case "true": return true
    case "false": return false
    case "null": return JSON.null
    default:
      offset = start
      return nil
    }
  }

  private mutating func number() throws(QueryError) -> JSON {
    let start = offset
    _ = take("-")
    let firstDigit = current
    guard takeDigits() > 0 else { throw unexpected("a digit", start: start) }
    let integerDigits = offset - start - (scalars[start] == "-" ? 1 : 0)
    guard firstDigit != "0" || integerDigits == 1 else {
      throw failure("a number with leading zeros", at: start)
    }
    if take(".") {
      guard takeDigits() > 0 else { throw unexpected("a digit after the decimal point") }
    }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard takeDigits() > 0 else { throw unexpected("a digit in the exponent") }
    }
    let text = String(String.UnicodeScalarView(scalars[start..<offset]))
    do throws(JSONError) {
      return try JSON.parse(text)
    } catch {
      throw failure(error.message, at: start)
    }
  }

  private mutating func takeDigits() -> Int {
    let start = offset
    while let digit = current, digit.isDigit { offset += 1 }
    return offset - start
  }
}
