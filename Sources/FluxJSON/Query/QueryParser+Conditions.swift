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
    case .literal(let value): return .literal(QueryValue(value))
    case .operand(let operand): return operand
    case .query(let query):
      guard query.path.isSingular else {
        throw failure(
          "this path can select more than one value", at: start,
          hint: "use only names and indices here; value(PATH) takes one, count(PATH) counts them")
      }
      return .query(query)
    case .condition:
      throw failure("a condition is not a value", at: start)
    }
  }

  enum Term {
    case literal(JSON)
    case query(Query)
    case operand(Operand)
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

  /// The functions of RFC 9535, section 2.4, and the inspector's extensions.
  private enum Function: String, CaseIterable {
    case length, count, match, search, value, was, changed

    var isStandard: Bool { self != .was && self != .changed }

    var parameterCount: Int { self == .match || self == .search ? 2 : 1 }
  }

  /// Parses a function call; returns nil if no name followed by a parenthesis starts here.
  mutating func functionCall() throws(QueryError) -> Term? {
    let start = offset
    guard let name = takeName(), take("(") else {
      offset = start
      return nil
    }
    guard let function = Function(rawValue: name), function.isStandard || dialect == .inspector
    else { throw unknown(name, start: start) }
    return try nested { (parser) throws(QueryError) in
      try parser.call(function, start: start)
    }
  }

  private func unknown(_ name: String, start: Int) -> QueryError {
    let known = Function.allCases.filter { $0.isStandard || dialect == .inspector }.map(\.rawValue)
    let nearest = Spelling.nearest(to: name, among: known)
    return failure(
      "there is no function '\(name)'", at: start,
      hint: nearest.map { "did you mean \($0)?" }
        ?? "the functions are \(known.joined(separator: ", "))")
  }

  private typealias Argument = (term: Term, start: Int)

  private mutating func call(_ function: Function, start: Int) throws(QueryError) -> Term {
    let arguments = try arguments()
    guard arguments.count == function.parameterCount else {
      let count = function.parameterCount == 1 ? "one argument" : "two arguments"
      throw failure("\(function.rawValue)() takes \(count), not \(arguments.count)", at: start)
    }
    let first = arguments[0]
    switch function {
    case .length: return .operand(.length(try operand(first.term, start: first.start)))
    case .count: return .operand(.count(try nodes(first, of: function)))
    case .value: return .operand(.value(try nodes(first, of: function)))
    case .was: return .query(try before(try nodes(first, of: function), start: first.start))
    case .changed:
      let now = try nodes(first, of: function)
      return .condition(.changed(now: now, before: try before(now, start: first.start)))
    case .match, .search:
      let text = try operand(first.term, start: first.start)
      let pattern = try pattern(arguments[1])
      return .condition(.match(text: text, pattern: pattern, whole: function == .match))
    }
  }

  private mutating func arguments() throws(QueryError) -> [Argument] {
    skipBlanks()
    guard !take(")") else { return [] }
    var arguments: [Argument] = []
    repeat {
      skipBlanks()
      let start = offset
      arguments.append((try term(), start))
      skipBlanks()
    } while take(",")
    guard take(")") else { throw unexpected("',' or ')' after an argument") }
    return arguments
  }

  private func nodes(_ argument: Argument, of function: Function) throws(QueryError) -> Query {
    guard case .query(let query) = argument.term else {
      throw failure("\(function.rawValue)() takes a path", at: argument.start)
    }
    return query
  }

  /// Returns the same query for the states before the step.
  private mutating func before(_ query: Query, start: Int) throws(QueryError) -> Query {
    let segments = query.path.segments
    guard query.path.root == .document, segments.first == .child([.name("state")]) else {
      throw failure(
        "only states have a value before the step", at: start,
        hint: "start the path with the name of a store")
    }
    let former = [.child([.name("before")])] + segments.dropFirst()
    return self.query(Path(root: .document, segments: former))
  }

  /// Returns the pattern in an argument, compiled if it is a literal.
  ///
  /// A text that is not a valid I-Regexp matches nothing (RFC 9535, section 2.4.6). A text that
  /// compiles to too many instructions, or that nests too deep, is an error.
  private func pattern(_ argument: Argument) throws(QueryError) -> Pattern {
    guard case .literal(let value) = argument.term else {
      return .computed(try operand(argument.term, start: argument.start))
    }
    guard let text = value.string else { return .compiled(nil) }
    do throws(RegularExpression.SyntaxError) {
      return .compiled(try RegularExpression(text))
    } catch {
      guard error != .syntax else { return .compiled(nil) }
      throw failure("this pattern is too large", at: argument.start)
    }
  }
}
