/// Says why a text is no path, no expression, or cannot be evaluated, and at which column.
public struct QueryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The whole text of the query.
  public let query: String
  /// The column at which it stops making sense, in Unicode scalars, from 1.
  public let column: Int
  /// What is wrong there, as a sentence without a full stop.
  public let reason: String
  /// What to do about it, where that is known.
  public let hint: String?

  /// Makes an error about the scalar at `column` of the query.
  public init(query: String, column: Int, reason: String, hint: String? = nil) {
    self.query = query
    self.column = column
    self.reason = reason
    self.hint = hint
  }

  /// The reason, the query with a caret under the column, and the hint: three lines, or four.
  public var message: String {
    // Line ends and tabs would move the caret away from its column.
    let line = String(
      String.UnicodeScalarView(
        query.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    let caret = String(repeating: " ", count: max(0, column - 1)) + "^"
    let lines = ["column \(column): \(reason)", "  \(line)", "  \(caret)"]
    return (lines + (hint.map { [$0] } ?? [])).joined(separator: "\n")
  }

  /// The message.
  public var description: String { message }
}
