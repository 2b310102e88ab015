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
