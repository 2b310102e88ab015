import FluxInspector

// The commands for a running app, beside `show` and `dispatch`.

extension Command {
  static let app = Command(
    "app", group: .app, summary: "Show which app replays recorded actions",
    help: """
      'verify', 'fork', 'redispatch', 'shrink' and 'test' use the executable of --app. Without it, an attached session \
      uses the running app, if it offers replays: fresh stores in its process, next to its own.
      """
  ) { _, console in
    Reply(try console.session.replayingApp()) { app, text in
      switch app.place {
      case .spawned: try text.line("replays run in processes of \(app.path ?? "")")
      case .attached:
        let process = app.process.map { ", process \($0)" } ?? ""
        try text.line(
          "replays run in the running app: \(app.name ?? "")\(process); --app PATH runs them in others"
        )
      case .here: try text.line("replays run in this process")
      }
    }
  }

  static let pause = Command(
    "pause", group: .app, summary: "Make the running app ignore its user",
    help: """
      The app's views keep what they show, and the app ignores root actions, such as those of its user. Effects and \
      their actions continue. 'show' changes what the views show; 'resume' ends the pause.
      """
  ) { _, console in .live(try console.session.pause()) }

  static let resume = Command(
    "resume", group: .app, summary: "Let the running app continue as usual",
    help: """
      Ends 'pause' and 'show': the app's views show its newest state, and the app accepts its user's actions again. \
      The session goes to the newest step and follows it.
      """
  ) { _, console in .live(try console.session.resume()) }

  static let restore = Command(
    "restore", group: .app, synopsis: "restore [POS]",
    summary: "Set the running app to the state here",
    help: """
      The app continues from the state at POS, by default the position here. Its log keeps all steps, and says \
      where the app went back. Running effects are cancelled. Redacted values are not in the log; the app restores \
      them from memory while it has the state, and refuses otherwise.
      """,
    examples: ["restore", "restore 17", "restore start"], arguments: .words(1),
    completions: [.position]
  ) { arguments, console in
    let position = try arguments.words.first.map { try arguments.position($0) } ?? .here
    return .live(try console.session.restore(at: position))
  }
}

extension Reply {
  static func live(_ change: LiveChange) -> Reply {
    Reply(change) { change, text in
      let step = change.step.map { " step \($0)" } ?? " its newest step"
      switch change.state {
      case .showing: try text.line("the app shows\(step)", .heading)
      case .paused: try text.line("the app is paused at\(step); 'resume' continues it", .heading)
      case .live: try text.line("the app is live", .heading)
      case .restored: try text.line("the app continues from\(step)", .heading)
      }
    }
  }

  static func live(_ dispatch: LiveDispatch) -> Reply {
    Reply(dispatch) { dispatch, text in
      for step in dispatch.steps { try text.step(step) }
      for change in dispatch.changes { try text.change(change) }
    }
  }
}
