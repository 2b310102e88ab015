/// A logical expression (RFC 9535) that holds or does not hold for a step.
///
/// It queries a step's document, `{"n", "t", "action", …, "state": {store: …}, "before": {…}}`.
/// Paths use the dialect ``Path/Dialect/inspector``. Two functions extend RFC 9535. `changed(PATH)`
/// is true if the step changed what the path selects. `was(PATH)` reads the path in the state
/// before the step.
public struct StepExpression: Sendable, Equatable {
  let condition: Condition

  /// The number of slots that an evaluation needs to cache absolute queries in filters.
  let slotCount: Int

  /// The source text of the expression, without surrounding blanks.
  public let text: String

  /// Parses an expression.
  ///
  /// - Throws: `QueryError` with the column of the error.
  public init(_ text: String) throws(QueryError) {
    var parser = QueryParser(text, dialect: .inspector)
    condition = try parser.wholeCondition()
    self.text = parser.trimmed
    slotCount = parser.slotCount
  }
}
