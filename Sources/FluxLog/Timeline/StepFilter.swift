public import FluxJSON

/// Selects steps by a glob for the action type, or by an expression.
public enum StepFilter: Sendable, Equatable {
  /// The action's type matches the glob.
  case glob(Glob)
  /// The expression holds for the step's document.
  case expression(StepExpression)

  /// Parses a filter.
  ///
  /// The text is an expression if it contains a blank or an operator, bracket or quote of the
  /// expression syntax. Otherwise, it is a glob.
  ///
  /// - Throws: `QueryError` if the text is an invalid expression.
  public init(_ text: String) throws(QueryError) {
    if text.unicodeScalars.contains(where: StepFilter.marks.contains) {
      self = .expression(try StepExpression(text))
    } else {
      self = .glob(Glob(text))
    }
  }

  private static let marks: Set<Unicode.Scalar> = [
    "(", ")", "[", "]", "=", "<", ">", "!", "&", "|", "@", "$", "'", "\"", " ", "\t", "\n", "\r",
  ]
}

/// A logical expression (RFC 9535) that holds or does not hold for a step.
///
/// It queries a step's document, `{"n", "t", "action", …, "state": {store: …}, "before": {…}}`.
/// Paths use the dialect `Path.Dialect.inspector`. Two functions extend RFC 9535. `changed(PATH)`
/// is true if the step changed what the path selects. `was(PATH)` reads the path in the state
/// before the step.
public struct StepExpression: Sendable, Equatable {
  private let expression: LogicalExpression

  /// The source text of the expression, without surrounding blanks.
  public var text: String { expression.text }

  /// Parses an expression.
  ///
  /// - Throws: `QueryError` with the column of the error.
  public init(_ text: String) throws(QueryError) {
    expression = try LogicalExpression(text)
  }

  /// Parses the longest expression at the beginning of a text.
  ///
  /// - Parameters:
  ///   - text: The text, which may go on behind the expression.
  ///   - count: Receives the number of Unicode scalars of the expression.
  /// - Throws: `QueryError` with the column of the error.
  package init(beginning text: String, count: inout Int) throws(QueryError) {
    expression = try LogicalExpression(beginning: text, count: &count)
  }

  /// The places of the document that the expression reads.
  public var footprint: Footprint { expression.footprint }

  /// The paths of the expression that can select one value only.
  package var singularPaths: [Path] { expression.singularPaths }

  /// The form that is evaluated without a document; `nil` if the expression has none.
  package var places: PlaceExpression? { expression.places }

  /// Returns `true` if the expression holds for a step's document.
  ///
  /// The evaluation calls `check` from time to time. An error that it throws ends the evaluation.
  ///
  /// - Throws: what `check` or a member of the document throws; `QueryError` where the query asks
  ///   for more work than any evaluation may take.
  public func holds(
    for document: QueryDocument, check: @escaping () throws -> Void = {}
  ) throws -> Bool {
    try expression.holds(for: document, check: check)
  }
}
