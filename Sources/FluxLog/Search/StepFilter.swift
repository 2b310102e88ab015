public import FluxJSON

/// Selects steps by a glob for the action type, or by an expression.
public enum StepFilter: Sendable, Equatable {
  /// The action's type matches the glob.
  case glob(Glob)
  /// The expression holds for the step's document.
  case expression(QueryExpression)

  /// Parses a filter.
  ///
  /// The text is an expression if it contains a blank or an operator, bracket or quote of the
  /// expression syntax. Otherwise, it is a glob.
  ///
  /// - Throws: `QueryError` if the text is an invalid expression.
  public init(_ text: String) throws(QueryError) {
    if text.unicodeScalars.contains(where: StepFilter.marks.contains) {
      self = .expression(try QueryExpression(text))
    } else {
      self = .glob(Glob(text))
    }
  }

  private static let marks: Set<Unicode.Scalar> = [
    "(", ")", "[", "]", "=", "<", ">", "!", "&", "|", "@", "$", "'", "\"", " ", "\t", "\n", "\r",
  ]
}
