public import FluxInspector

extension Command {
  static let browse = Command(
    "browse", group: .move, summary: "Step through the log in full screen",
    help: """
      Shows the steps, the changes of the current step, and its state. In the list of steps, the arrow keys move \
      through the log. In the other panes, they scroll, and fold and unfold values. Tab goes to the next pane. Gaps, \
      marks, damage and the actions in flight are rows between the steps.

      / searches for a text, an action type or an expression while you type, and n goes to the next match. Without a \
      search, n goes to the next stop point. b sets or deletes a breakpoint at actions of this type. ? lists all keys, \
      and q leaves. For undo, every step is one move. With the mouse, click a step, a value or a pane; to select text, \
      hold Shift.

      On a fork, browse returns to the recording.
      """,
    needsTerminal: true
  ) { arguments, console in
    guard let browser = console.browser else {
      throw arguments.usage("this needs a terminal", hint: "use step and back")
    }
    // The screen shows the recording, so its keys must not move over the steps of a fork.
    let position = console.session.positionInRecording
    let note = console.session.leaveFork()
    console.session.stand(at: position)
    try browser.browse(&console.session, console.settings)
    var move = try console.session.here(stopped: .step)
    if let note { move.notes.append(note) }
    return .move(move)
  }
}

/// Shows a session on the whole screen of a terminal, for `browse`.
public protocol BrowseService: Sendable {
  /// Lets the user walk through the session until they leave.
  ///
  /// - Throws: Errors of the terminal. The session is then at its last step.
  func browse(_ session: inout Session, _ settings: Settings) throws
}

/// The keys of `browse`, with their effects.
package enum BrowseKeys {
  /// The keys and the effect of each, in the order of the help.
  package static let all: [(keys: String, effect: String)] = [
    ("Up Down  k j", "previous or next step; scroll in the other panes"),
    ("Left Right  h l", "previous or next root action; sideways; fold, unfold"),
    ("PgUp PgDn  Ctrl-B Ctrl-F", "a page of the pane; Space is a page forwards, too"),
    ("Ctrl-U Ctrl-D", "half a page of the pane"),
    ("Home End  g G", "the start or the end of the pane"),
    ("Tab Shift-Tab", "the next or the previous pane"),
    ("1 2 3", "the steps, the changes, the state"),
    ("z", "the whole screen for this pane, or for all three"),
    ("[ ]", "previous or next step in any pane"),
    ("/", "search while you type: text, action type, expression"),
    ("n N", "next or previous match; without a search, stop point"),
    ("Esc", "end a search"),
    (":", "go to a position: 42, 50%, @2.5, todo/add#3"),
    ("b", "set or delete a breakpoint at actions of this type"),
    ("c C", "next or previous stop point"),
    ("d", "changes by element, as a JSON Patch, or counted"),
    ("Enter Space", "fold or unfold a value; Enter shows a step's changes"),
    ("Mouse", "click, or scroll with the wheel; Shift selects text"),
    ("?", "this help"),
    ("q Ctrl-C", "leave"),
  ]
}

extension Session {
  /// The step here as the lines that `goto` and `diff` write: its action and origin, and what it changed, with paths.
  package func styledStep(
    _ form: FluxInspector.Difference.Form = .changes
  ) throws -> (lines: [StyledLine], changed: [String]) {
    let move = try here(stopped: .step)
    var lines = try StyledLine.lines { try $0.move(move) }
    guard move.action != nil else { return (lines, []) }
    var difference = try difference()
    difference.form = form
    lines += try StyledLine.lines { try $0.difference(difference) }
    lines += difference.notes.map { StyledLine("note: \($0.line)", .dim) }
    return (lines, difference.changes.map(\.path))
  }
}
