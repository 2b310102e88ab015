/// Why a test at a terminal cannot go on, with what the terminal showed.
package struct TerminalError: Error, CustomStringConvertible {
  package let description: String

  init(_ problem: String, screen: Screen, cooked: Bool) {
    let frame = screen.lines.map { "  |\($0)" }
    description =
      ([
        problem,
        "  cursor at row \(screen.cursor.row), column \(screen.cursor.column); modes "
          + "\(screen.modes.sorted()); \(cooked ? "cooked" : "raw"); unknown: \(screen.unknown)",
      ] + screen.scrolledOff.suffix(10).map { "  ^\($0)" } + frame).joined(separator: "\n")
  }

  init(_ problem: String) {
    description = problem
  }
}
