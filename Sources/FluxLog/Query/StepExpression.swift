/// A question about a step that is answered with yes or no: an RFC 9535 logical expression.
///
/// It is asked of a step's document, `{"n", "t", "action", …, "state": {store: …}, "before": {…}}`.
/// Paths may be written as in ``Path/Dialect/inspector``. Beyond the functions of RFC 9535,
/// `changed(PATH)` is true where the step changed what the path selects, and `was(PATH)` stands
/// for the path in the state before the step.
public struct StepExpression: Sendable, Equatable {
  let condition: Condition

  /// How many answers of absolute queries an evaluation keeps.
  let slotCount: Int

  /// The expression as it was written, without blanks around it.
  public let text: String

  /// Parses an expression.
  ///
  /// - Throws: `QueryError` that points at the column.
  public init(_ text: String) throws(QueryError) {
    var parser = QueryParser(text, dialect: .inspector)
    condition = try parser.wholeCondition()
    self.text = parser.trimmed
    slotCount = parser.slotCount
  }
}
