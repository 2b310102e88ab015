import FluxLog

extension Command {
  static let test = Command(
    "test", group: .out, synopsis: "test FILE [--import MODULE] [--stores FACTORY] [--force]",
    summary: "Write a Swift test that leads to this state",
    help: """
      The test dispatches the actions that led here in fresh stores, on a fork those of the fork, and expects the \
      states here. It begins in the state at the start, or after the last missing lines before here. To get few \
      actions, shrink first.

      It uses Swift Testing, and belongs to a test target of the app that depends on FluxJSON, FluxLog, \
      FluxRecorder and FluxReplay. It imports MODULE, by default a module with the name of the app, and makes stores \
      with FACTORY, by default makeStores. With an app, the test is tried first: a note says if it will fail, and \
      where. A file that exists is overwritten only with --force.
      """,
    examples: [
      "test TodoTests.swift", "test ShopTests.swift --import Shop --stores makeShopStores",
    ],
    options: [
      CommandOption("--import", value: "MODULE", "The module that declares the stores"),
      CommandOption("--stores", value: "FACTORY", "Makes fresh stores: () -> [any Store]"),
      .force,
    ],
    arguments: .words(1), completions: [.file]
  ) { arguments, console in
    let path = try arguments.word("a file")
    let session = console.session
    let reproduction = try session.reproduction()
    let app = session.log.header.app?.name
    let source = TestSource(
      reproduction: reproduction,
      module: try arguments.value(of: "--import") ?? module(of: app, arguments),
      stores: arguments.value(of: "--stores") ?? "makeStores", app: app)
    var notes: [String] = []
    if session.log.header.isRedacted {
      notes.append("the test contains tokens instead of redacted values, as the log does")
    }
    if session.services.app != nil,
      let problem = try reproduction.problem(in: session.app(), timeout: session.replayTimeout)
    {
      notes.append("with the app as it is now, the test fails: \(problem)")
    }
    let bytes = Array(source.text.utf8)
    try session.services.files.write(
      path, log: session.log.path, replacesExisting: arguments.has("--force")
    ) { write in try write(bytes) }
    let result = WrittenTest(file: path, actions: reproduction.actions.count, notes: notes)
    return Reply(result) { result, text in
      try text.line("a test of \(result.actions.counted("action")) written to \(result.file)")
    }
  }

  private struct WrittenTest: CommandResult {
    let file: String
    let actions: Int
    var notes: [String] = []

    enum CodingKeys: CodingKey { case file, actions }
  }

  private static func module(
    of app: String?, _ arguments: CommandArguments
  ) throws(CommandError) -> String {
    guard let module = SwiftText.identifier(app ?? "") else {
      throw arguments.usage("the log does not name the app, so --import has to name its module")
    }
    return module
  }
}

extension Session {
  /// The actions that lead to the state here again; on a fork its own steps.
  fileprivate func reproduction() throws -> Reproduction {
    if let fork = openForks.current { return try fork.use { try Reproduction(of: $0) } }
    return try Reproduction(of: timeline, at: try stepHere())
  }
}
