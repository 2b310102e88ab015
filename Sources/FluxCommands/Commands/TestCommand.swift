import FluxExchange
import FluxInspector
import FluxLog
import FluxReplay
import FluxSystem

extension Command {
  static let test = Command(
    "test", group: .out,
    synopsis: "test FILE [--because X --expect V --smallest --import M --stores F --force]",
    summary: "Write a Swift test that reproduces this state",
    help: """
      The test dispatches the actions that led here in fresh stores; on a fork, those of the fork. It begins in the \
      state at the start, or after the last missing lines before here. It expects what the step here changed and \
      nothing else, or the value of a path or an expression with --expect: --expect todos tests the whole store todos. \
      If the step removed or moved an element, it expects the identities of all elements of the array, up to 50.

      --because X writes a test for a bug: X is an expression that is true because of the bug. The test \
      contains only the actions that make X true, expects it to be false after the last one, and so fails \
      until the bug is fixed. If the position is start, the test is for the first step at which X is true. \
      With --expect, it expects that value instead.

      With an app, the actions are Swift values if the app can write them, such as TodoAction.add(title: \
      "milk"), and JSON otherwise, for example in an app with its own reducer. The test is tried first: a note \
      says if it will fail, and where, or if it cannot fail. The recorded start and times are left out if the \
      test does not need them. --smallest leaves out all actions that the expected values do not need; without \
      --expect, it keeps the current step's action. Without an app and without --expect, the test contains the \
      actions as JSON and expects the states here.

      It uses Swift Testing, and belongs to a test target of the app that depends on FluxJSON and FluxTesting, or for \
      actions as JSON on FluxJSON, FluxLog, FluxRecorder and FluxReplay. It imports the module M, and makes stores with F. \
      By default, the app names its modules and the initializers of its stores. If it does not, M is the name of the app, \
      and F is makeStores. For an app with a reducer, F is its AppDefinition, by default app. \
      A file that exists is overwritten only with --force.
      """,
    examples: [
      "test TodoTests.swift", "test TodoTests.swift --because length(todos.items) > 3",
      "test TodoTests.swift --expect length(todos.items) --smallest",
      "test ShopTests.swift --import Shop --stores makeShopStores",
    ],
    options: [
      CommandOption(
        "--because", value: "X", "Expect that X is false, after the actions that make it true",
        completion: .path, isExpression: true),
      CommandOption(
        "--expect", value: "V", "Expect this value, not everything the step changed",
        completion: .path, isExpression: true),
      CommandOption("--smallest", "Leave out all actions that are not needed"),
      CommandOption("--import", value: "M", "The module that declares the stores"),
      CommandOption(
        "--stores", value: "F",
        "A function that makes fresh stores, () -> [any Store]; of an app with a reducer, its AppDefinition"
      ),
      .force,
    ],
    arguments: .words(1), completions: [.file], needsTerminal: true
  ) { arguments, console in
    let path = try arguments.word("a file")
    try checkLanguage(of: path)
    let session = console.session
    var request = TestRequest()
    request.expected = try arguments.value(of: "--expect").map { try arguments.query($0) }
    request.bug = try arguments.value(of: "--because").map { text in
      let bug = try arguments.expression(text)
      try arguments.checking { try session.refuseNumber(in: bug) }
      return bug
    }
    request.file = path
    request.smallest = arguments.has("--smallest")
    request.module = arguments.value(of: "--import")
    request.stores = arguments.value(of: "--stores")
    let test: TestText
    do {
      test = try session.testSource(request)
    } catch is TestText.NoModule {
      throw arguments.usage(
        "neither the log nor an app names the module, so --import has to")
    }
    let bytes = Array(test.source.utf8)
    try session.services.files.write(
      path, log: session.log.path, replacesExisting: arguments.has("--force")
    ) { write in try write(bytes) }
    let isAsked = request.expected != nil
    let result = WrittenTest(
      file: path, actions: test.actions, expects: test.expected?.queries, fails: test.fails,
      notes: test.notes)
    return Reply(result) { result, text in
      try text.line("a test of \(result.actions.counted("action")) written to \(result.file)")
      if let expected = test.expected {
        if !isAsked { try text.line(expected.sentence(ofStep: test.step)) }
      } else if result.fails == true {
        try text.line("it fails until the bug is fixed")
      }
    }
  }

  /// Refuses a file of another language, such as that of a Redux reducer.
  private static func checkLanguage(of path: String) throws(CommandError) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else {
      throw CommandError(
        .usage, "test: a test target only compiles files whose names end in .swift",
        hint: "'test \("\(path).swift".commandWord)'")
    }
    guard name[dot...] != ".swift" else { return }
    throw CommandError(
      .usage, "test: \(path) is not a Swift file, and the test is in Swift",
      hint:
        "in another language, a log is the test: 'shrink EXPR', 'save LOG', and in CI flux-inspect verify LOG"
    )
  }

  private struct WrittenTest: CommandResult {
    let file: String
    let actions: Int
    /// The paths and expressions whose values the test expects; nil for all states, or if a bug is to be gone.
    let expects: [String]?
    let fails: Bool?
    var notes: [Note] = []

    enum CodingKeys: CodingKey { case file, actions, expects, fails }
  }
}

extension TestText.Expected {
  fileprivate var queries: [String]? {
    if case .values(let queries, _) = self { queries } else { nil }
  }

  /// The sentence about a test of a step that says what it expects.
  fileprivate func sentence(ofStep step: UInt64) -> String {
    switch self {
    case .states: "it expects the states of all stores"
    case .values([], _): "it expects only that step \(step) is rejected"
    case .values(let queries, let rejects):
      "it expects only what step \(step) changed: \(queries.joined(separator: ", "))"
        + (rejects ? ", and that it is rejected" : "")
    }
  }
}
