extension QueryParser {
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

  /// An argument and its start offset.
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
      guard error.reason != .syntax else { return .compiled(nil) }
      throw failure("this pattern is too large", at: argument.start)
    }
  }
}
