/// What reading a line came to.
package enum LineResult: Equatable, Sendable {
  /// A line, without what ended it.
  case line(String)
  /// The user gave the line up with Ctrl-C.
  case interrupted
  /// There are no more lines.
  case endOfInput
}
