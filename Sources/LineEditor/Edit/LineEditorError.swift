/// Why there is no line editor.
package enum LineEditorError: Error, Equatable, CustomStringConvertible {
  /// Input or output is not a terminal that can move its cursor.
  case notATerminal
  /// The process has an editor already.
  case alreadyOpen

  /// A message for the user.
  package var description: String {
    switch self {
    case .notATerminal:
      "lines cannot be edited here: input and output have to be a terminal that can move its "
        + "cursor (TERM is its name); read lines as they come instead"
    case .alreadyOpen:
      "there is a line editor already, and a process has one terminal: close the first"
    }
  }
}
