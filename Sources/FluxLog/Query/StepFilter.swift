/// Which steps are meant: those whose action type matches a glob, or those where an expression
/// holds.
public enum StepFilter: Sendable, Equatable {
  /// The action's type matches.
  case glob(Glob)
  /// The expression holds for the step's document.
  case expression(StepExpression)

  /// Reads a filter: a glob if the text has no blank and none of the characters that expressions
  /// are made of, and an expression otherwise.
  ///
  /// - Throws: `QueryError` where it is neither.
  public init(_ text: String) throws(QueryError) {
    if text.unicodeScalars.contains(where: StepFilter.marks.contains) {
      self = .expression(try StepExpression(text))
    } else {
      self = .glob(Glob(text))
    }
  }

  /// The characters that make a text an expression.
  private static let marks: Set<Unicode.Scalar> = [
    "(", ")", "[", "]", "=", "<", ">", "!", "&", "|", "@", "$", "'", "\"", " ", "\t", "\n", "\r",
  ]
}
