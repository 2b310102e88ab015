/// An RFC 9535 logical expression, in the inspector's dialect: a question about a document that is answered with
/// yes or no.
package struct LogicalExpression: Sendable, Equatable {
  let condition: Condition

  /// The number of answers of absolute queries that an evaluation keeps.
  let slotCount: Int

  /// The expression as it was written, without blanks around it.
  package let text: String

  /// Parses an expression.
  ///
  /// - Throws: `QueryError` that points at the column.
  package init(_ text: String) throws(QueryError) {
    var parser = QueryParser(text, dialect: .inspector)
    condition = try parser.wholeCondition()
    self.text = parser.trimmed
    slotCount = parser.slotCount
  }

  /// Says whether the expression holds for a document.
  ///
  /// `check` is called now and then; what it throws ends the evaluation.
  ///
  /// - Throws: what `check` or a member of the document throws; `QueryError` where the query asks
  ///   for more work than any evaluation may take.
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
  /// The query selects at least one node.
  case exists(Query)
  case match(text: Operand, pattern: Pattern, whole: Bool)
  /// The step changed the nodes that the query selects, or their values.
  case changed(now: Query, before: Query)
}

/// A comparison operator.
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
  /// A singular query.
  case query(Query)
  case length(Operand)
  case count(Query)
  case value(Query)
}

/// A query inside an expression.
struct Query: Sendable, Equatable {
  let path: Path
  /// The slot that caches the result of an absolute query.
  ///
  /// An absolute query has the same result for every node that a filter tests. The slot is nil if
  /// the query is relative to the node, or if it is outside any filter.
  let slot: Int?
}

/// The second argument of `match` and `search`.
enum Pattern: Sendable, Equatable {
  /// A literal, compiled once; nil if it is not a valid I-Regexp and so matches nothing.
  case compiled(RegularExpression?)
  /// An operand whose value is compiled during evaluation.
  case computed(Operand)
}
