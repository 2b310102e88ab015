import FluxInspector

extension Command {
  static let display = Command(
    "display", group: .look, synopsis: "display [VALUE]",
    summary: "Show a value now and after every move",
    help: """
      VALUE is a path, a function call or an expression, as for print. A path need not select anything yet. Without a \
      VALUE, all displays are shown. 'undisplay' removes one.
      """,
    examples: ["display todos.items[0]", "display length(todos.items)", "display"],
    arguments: .expression, completions: [.path]
  ) { arguments, console in
    guard arguments.text.isEmpty else {
      return Reply(try console.session.addDisplay(try arguments.query())) { try $1.display($0) }
    }
    return Reply(try console.session.displayedValues()) { list, text in
      for display in list.displays { try text.display(display) }
      if list.displays.isEmpty { try text.line("no displays", .dim) }
    }
  }

  static let undisplay = Command(
    "undisplay", group: .look, synopsis: "undisplay N", summary: "Stop displaying a value",
    help: "N is the number that 'display' shows. The numbers of the others do not change.",
    examples: ["undisplay 1"], arguments: .words(1), completions: [.display]
  ) { arguments, console in
    try console.session.removeDisplay(
      try arguments.number(of: "display", hint: "'display' lists them"))
    return Reply(Done()) { _, _ in }
  }
}
