import FluxJSON
import FluxLog

extension Command {
  static let browse = Command(
    "browse", group: .move, summary: "Step through the log in full screen",
    help: """
      Shows the steps, the changes of the current step, and its state. In the list of steps, the arrow keys move \
      through the log. In the other panes, they scroll, and fold and unfold values. Tab goes to the next pane.

      / searches for an action type or an expression, and n goes to the next match. Without a search, n goes to the \
      next stop point. b sets or deletes a breakpoint at actions of this type. ? lists all keys, and q leaves. For \
      undo, every step is one move.
      """
  ) { arguments, console in
    guard let browser = console.browser else {
      throw arguments.usage("this needs a terminal", hint: "use step and back")
    }
    try browser.browse(&console.session, console.settings)
    return .move(try console.session.here(stopped: .step))
  }
}

/// Shows a session on the whole screen of a terminal, for `browse`.
public protocol BrowseService: Sendable {
  /// Lets the user walk through the session until they leave.
  ///
  /// - Throws: Errors of the terminal. The session then stands at its last step.
  func browse(_ session: inout Session, _ settings: Settings) throws
}

/// The keys of `browse`, with their effects.
package enum BrowseKeys {
  /// The keys and the effect of each, in the order of the help.
  package static let all: [(keys: String, effect: String)] = [
    ("Up Down", "previous or next step; scroll in the other panes"),
    ("Left Right", "previous or next root action; scroll sideways; fold and unfold a value"),
    ("PgUp PgDn", "a page of the pane"),
    ("Home End", "the start or the end of the pane"),
    ("Tab", "the next pane"),
    ("[ ]", "previous or next step in any pane"),
    ("/", "search for a type of action or an expression"),
    ("n N", "next or previous match; without a search the next or previous stop point"),
    ("c C", "next or previous stop point"),
    ("b", "set or delete a breakpoint at actions of this type"),
    (":", "go to a position: 42, 50%, @2.5, todo/add#3"),
    ("d", "changes by element, as a JSON Patch, or counted"),
    ("Enter", "fold or unfold a value; from the steps to their changes"),
    ("Esc", "end a search"),
    ("?", "this help"),
    ("q", "leave"),
  ]
}

extension Session {
  /// The step here as the lines that `goto` and `diff` write: its action and origin, and what it changed.
  ///
  /// - Parameter form: The form of the changes.
  /// - Returns: The lines, and the paths of the changes.
  /// - Throws: Errors of the log.
  package func styledStep(
    _ form: Difference.Form = .changes
  ) throws -> (lines: [StyledLine], changed: [String]) {
    let move = try here(stopped: .step)
    var lines = try StyledLine.lines { try $0.move(move) }
    guard move.action != nil else { return (lines, []) }
    var difference = try difference()
    difference.form = form
    lines += try StyledLine.lines { try $0.difference(difference) }
    lines += difference.notes.map { StyledLine("note: \($0)", .dim) }
    return (lines, difference.changes.map(\.path))
  }
}
