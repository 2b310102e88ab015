/// How a command takes its arguments.
package enum ArgumentStyle: Sendable, Equatable {
  /// Words, at most so many; blanks separate them, quotes keep them together.
  case words(Int)
  /// One text as it stands: a path, or JSON.
  case raw
  /// One text as it stands that may be an expression, so that a `>` in it is no redirection.
  case expression
  /// The rest of the line as it stands, `|` and `>` included.
  case line
}
