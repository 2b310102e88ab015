import FluxInspector

extension Command {
  static let marks = Command(
    "marks", group: .look, summary: "List the notes that the app made",
    help: """
      Each line shows the last step before the note, its text, and its time in seconds since the log was created. An \
      app makes a note with the recorder: recorder.mark("the customer is asked to pay").
      """
  ) { arguments, console in
    Reply(try console.session.marks()) { mark, _, text in
      text.write("\(mark.after)", .number)
      text.write(" \(mark.type ?? "start")", .action)
      text.write(": \(mark.text)")
      try text.line(" +\(mark.t)s", .dim)
    } end: { _, count, text in
      if count == 0 { try text.line("no marks", .dim) }
    }.ofRecording("marks", console)
  }
}
