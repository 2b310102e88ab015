/// An RFC 9535 logical expression, in the inspector's dialect: a question about a document that is
/// answered with yes or no.
package struct LogicalExpression: Sendable, Equatable {
  let condition: Condition

  /// The number of answers of absolute queries that an evaluation keeps.
  let slotCount: Int

  package let text: String

  /// The paths of the expression that start at the document and can select one value only.
  package var singularPaths: [Path] {
    condition.queries.map(\.path).filter { $0.root == .document && $0.isSingular }
  }

  /// Parses an expression.
  package init(_ text: String) throws(QueryError) {
    var parser = QueryParser(text, dialect: .inspector)
    condition = try parser.wholeCondition()
    self.text = parser.trimmed
    slotCount = parser.slotCount
  }

  /// Parses the longest expression at the beginning of a text.
  ///
  /// - Parameters:
  ///   - text: The text, which may go on behind the expression.
  ///   - count: Receives the number of Unicode scalars of the expression.
  /// - Throws: `QueryError` with the column of the error.
  package init(beginning text: String, count: inout Int) throws(QueryError) {
    var parser = QueryParser(text, dialect: .inspector)
    condition = try parser.firstCondition()
    count = parser.offset
    slotCount = parser.slotCount
    self.text = String(String.UnicodeScalarView(parser.scalars[..<count]))
  }

  /// The form that is evaluated without a document; nil if the expression has none.
  package var places: PlaceExpression? { PlaceExpression(condition) }

  /// Says whether the expression holds for a document.
  package func holds(
    for document: QueryDocument, check: @escaping () throws -> Void
  ) throws -> Bool {
    var evaluator = QueryEvaluator(document, slotCount: slotCount, text: text, check: check)
    return try evaluator.holds(condition, current: document)
  }
}

/// A logical expression (RFC 9535, section 2.3.5).
indirect enum Condition: Sendable, Equatable {
  case any([Condition])
  case all([Condition])
  case not(Condition)
  case comparison(Operand, Comparison, Operand)
  case exists(Query)
  case match(text: Operand, pattern: Pattern, whole: Bool)
  /// The step changed the nodes that the query selects, or their values.
  case changed(now: Query, before: Query)
}

extension Condition {
  /// The queries of the condition; not those inside of filters.
  var queries: [Query] {
    switch self {
    case .any(let parts), .all(let parts): parts.flatMap(\.queries)
    case .not(let part): part.queries
    case .comparison(let left, _, let right): left.queries + right.queries
    case .exists(let query): [query]
    case .match(let text, .computed(let pattern), _): text.queries + pattern.queries
    case .match(let text, .compiled, _): text.queries
    case .changed(let now, _): [now]
    }
  }
}

extension Operand {
  var queries: [Query] {
    switch self {
    case .literal: []
    case .query(let query), .count(let query), .value(let query): [query]
    case .length(let inner): inner.queries
    }
  }
}

enum Comparison: String, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
}

/// An expression with one value, or with none.
indirect enum Operand: Sendable, Equatable {
  case literal(JSON)
  case query(Query)
  case length(Operand)
  case count(Query)
  case value(Query)
}

struct Query: Sendable, Equatable {
  let path: Path
  /// The slot that caches the result of an absolute query.
  let slot: Int?
}

enum Pattern: Sendable, Equatable {
  /// A literal, compiled once; nil if it is not a valid I-Regexp and so matches nothing.
  case compiled(RegularExpression?)
  /// An operand whose value is compiled during evaluation.
  case computed(Operand)
}
