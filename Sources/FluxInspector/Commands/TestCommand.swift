import FluxLog

extension Command {
  static let test = Command(
    "test", group: .out,
    synopsis: "test FILE [--expect VALUE] [--smallest] [--import M] [--stores F] [--force]",
    summary: "Write a Swift test that reproduces this state",
    help: """
      The test dispatches the actions that led here in fresh stores, on a fork those of the fork. It begins in the \
      state at the start, or after the last missing lines before here. It expects what the step here changed, or the \
      value of a path or an expression with --expect.

      With an app, the actions are Swift values, such as TodoAction.add(title: "milk"), and the test is tried first: a \
      note says if it will fail, and where. The recorded start and times are left out if the test does not need them. \
      --smallest leaves out all actions that the expected values do not need; without --expect it keeps \
      the one of the step here. Without an app and without --expect, the \
      test has the actions as JSON and expects the states here.

      It uses Swift Testing, and belongs to a test target of the app that depends on FluxJSON and FluxTesting, or for \
      actions as JSON on FluxJSON, FluxLog, FluxRecorder and FluxReplay. It imports the module M, by default one with \
      the name of the app, and makes stores with F, by default makeStores. A file that exists is overwritten \
      only with --force.
      """,
    examples: [
      "test TodoTests.swift", "test TodoTests.swift --expect length(todos.items) --smallest",
      "test ShopTests.swift --import Shop --stores makeShopStores",
    ],
    options: [
      CommandOption(
        "--expect", value: "VALUE", "Expect this value, and not all that the step changed",
        completion: .path),
      CommandOption("--smallest", "Leave out all actions that are not needed"),
      CommandOption("--import", value: "M", "The module that declares the stores"),
      CommandOption("--stores", value: "F", "Makes fresh stores: () -> [any Store]"),
      .force,
    ],
    arguments: .words(1), completions: [.file]
  ) { arguments, console in
    let path = try arguments.word("a file")
    let session = console.session
    let expected = try arguments.value(of: "--expect").map { try arguments.query($0) }
    let test: TestText
    do {
      test = try session.testSource(
        expecting: expected, smallest: arguments.has("--smallest"),
        module: arguments.value(of: "--import"),
        stores: arguments.value(of: "--stores") ?? "makeStores")
    } catch is TestText.NoModule {
      throw arguments.usage("the log does not name the app, so --import has to name its module")
    }
    let bytes = Array(test.source.utf8)
    try session.services.files.write(
      path, log: session.log.path, replacesExisting: arguments.has("--force")
    ) { write in try write(bytes) }
    let result = WrittenTest(file: path, actions: test.actions, notes: test.notes)
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
}
