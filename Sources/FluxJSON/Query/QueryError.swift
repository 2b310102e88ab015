/// An error in the text of a path or an expression, or in its evaluation.
public struct QueryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The whole text of the query.
  public let query: String
  /// The column of the error, in Unicode scalars, starting at 1.
  public let column: Int
  /// The problem, as a sentence without a full stop.
  public let reason: String
  /// A suggestion that fixes the problem; nil if there is none.
  public let hint: String?

  /// Creates an error for the scalar at `column` of the query.
  public init(query: String, column: Int, reason: String, hint: String? = nil) {
    self.query = query
    self.column = column
    self.reason = reason
    self.hint = hint
  }

  /// The full error message, in three or four lines.
  ///
  /// It consists of the reason, the query, a caret under the column, and the hint.
  public var message: String {
    // Line breaks and tabs would move the caret away from its column.
    let line = String(
      String.UnicodeScalarView(
        query.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    let caret = String(repeating: " ", count: max(0, column - 1)) + "^"
    let lines = ["column \(column): \(reason)", "  \(line)", "  \(caret)"]
    return (lines + (hint.map { [$0] } ?? [])).joined(separator: "\n")
  }

  /// The same text as `message`.
  public var description: String { message }
}
