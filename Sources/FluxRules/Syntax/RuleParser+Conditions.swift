import FluxJSON
import FluxLog

extension RuleParser {
  /// The words of the grammar, which are no action types.
  private static let keywords: Set = [
    "globally", "before", "after", "until", "between", "and", "always", "never", "eventually",
    "precedes", "at", "most", "of", "leads", "to", "within", "rejected", "if", "increases",
    "decreases",
  ]

  /// The characters that only an expression has.
  private static let marks = Set("'\"()[]=<>!&|@$".unicodeScalars)

  private static let hints: [Unicode.Scalar: String] = [
    "=": "values are compared with '=='", "&": "conditions are joined with '&&'",
    "|": "conditions are joined with '||'",
  ]

  /// Parses `[rejected] GLOB [if EXPR]` or an expression.
  mutating func condition() throws(RuleError) -> Rule.Condition {
    skipBlanks()
    if take("rejected") {
      guard isAtGlob, let word else {
        throw failure("expected an action type after 'rejected', found \(found)")
      }
      return try condition(of: word, isRejected: true)
    }
    if isAtGlob, let word { return try condition(of: word, isRejected: false) }
    if let word, Self.keywords.contains(word) {
      throw failure(
        "expected a condition, found the keyword '\(word)'",
        hint: "write an action type that is a keyword as $.action.type == '\(word)'")
    }
    guard offset < scalars.count else { throw failure("expected a condition, found the end") }
    return Rule.Condition(expression: try expression())
  }

  private mutating func condition(
    of glob: String, isRejected: Bool
  ) throws(RuleError) -> Rule.Condition {
    _ = take(glob)
    var condition = Rule.Condition(glob: Glob(glob), isRejected: isRejected)
    if take("if") {
      guard offset < scalars.count else { throw failure("expected an expression after 'if'") }
      condition.expression = try expression()
    }
    return condition
  }

  /// `true` if the next word is an action type: it has no mark of expressions, is not a keyword, and
  /// no operator follows.
  private var isAtGlob: Bool {
    guard let word, !Self.keywords.contains(word),
      !word.unicodeScalars.contains(where: Self.marks.contains)
    else { return false }
    let end = offset + word.unicodeScalars.count
    return !scalars[end...].drop(while: \.isBlank).beginsWithOperator
  }

  /// The hint for an operator that does not exist; nil if there is none.
  private var hint: String? {
    if scalars[offset...].starts(with: "=>".unicodeScalars) { return "at least is '>='" }
    return Self.hints[scalars[offset]]
  }

  private mutating func expression() throws(RuleError) -> QueryExpression {
    let start = offset
    var count = 0
    do throws(QueryError) {
      let rest = String(String.UnicodeScalarView(scalars[start...]))
      let expression = try QueryExpression(beginning: rest, count: &count)
      offset += count
      // A blank ends an expression, as in `a == 1 after b`.
      let isAtBlank = offset < scalars.count && scalars[offset].isBlank
      skipBlanks()
      guard offset < scalars.count, !isAtBlank || scalars[offset...].beginsWithOperator else {
        return expression
      }
      throw QueryError(
        query: rest, column: offset - start + 1,
        reason: "expected '&&', '||' or the end of the condition", hint: hint)
    } catch {
      throw failure(error.reason, at: start + error.column - 1, hint: error.hint)
    }
  }
}

extension ArraySlice<Unicode.Scalar> {
  /// `true` if an operator between two operands comes next; a single `!` begins a condition.
  fileprivate var beginsWithOperator: Bool {
    guard let first else { return false }
    return first == "!" ? dropFirst().first == "=" : "=<>&|".unicodeScalars.contains(first)
  }
}
