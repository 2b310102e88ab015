extension QueryParser {
  /// Parses one selector between brackets.
  mutating func selector() throws(QueryError) -> Path.Selector {
    switch current {
    case "'", "\"": return .name(try quotedString())
    case "*":
      offset += 1
      return .wildcard
    case "?":
      offset += 1
      return .filter(try filter())
    case let scalar? where scalar == "-" || scalar == ":" || scalar.isDigit:
      return try indexOrSlice()
    default: throw failure("expected a selector, found \(found)", hint: selectorHint)
    }
  }

  private var selectorHint: String {
    "a selector is a name in quotes, an index, a slice such as 1:3, '*', or a filter '?…'"
  }

  private mutating func filter() throws(QueryError) -> Condition {
    filterDepth += 1
    defer { filterDepth -= 1 }
    skipBlanks()
    return try condition()
  }

  private mutating func indexOrSlice() throws(QueryError) -> Path.Selector {
    let start = try integer()
    let afterStart = offset
    skipBlanks()
    guard take(":") else {
      offset = afterStart
      guard let start else { throw unexpected("an index") }
      return .index(start)
    }
    skipBlanks()
    let end = try integer()
    let afterEnd = offset
    skipBlanks()
    guard take(":") else {
      offset = afterEnd
      return .slice(start: start, end: end, step: 1)
    }
    let afterColon = offset
    skipBlanks()
    guard let step = try integer() else {
      offset = afterColon
      return .slice(start: start, end: end, step: 1)
    }
    return .slice(start: start, end: end, step: step)
  }

  /// The largest valid index, 2^53 - 1.
  ///
  /// RFC 9535 limits indices to the exact integers of I-JSON.
  private static let largest = 1 << 53 - 1

  /// Parses an integer of RFC 9535; returns nil if none starts here.
  private mutating func integer() throws(QueryError) -> Int? {
    let start = offset
    let isNegative = take("-")
    guard let first = current, first.isDigit else {
      guard !isNegative else { throw unexpected("a digit after '-'") }
      return nil
    }
    var value = 0
    while let digit = current, digit.isDigit {
      value = value * 10 + Int(digit.value - 48)
      offset += 1
      guard value <= QueryParser.largest else {
        throw failure("an index beyond 2^53 - 1", at: start)
      }
    }
    let hasLeadingZero = first == "0" && (value > 0 || offset - start > (isNegative ? 2 : 1))
    guard !hasLeadingZero else { throw failure("an index with leading zeros", at: start) }
    guard !(isNegative && value == 0) else { throw failure("-0 is not an index", at: start) }
    return isNegative ? -value : value
  }
}
