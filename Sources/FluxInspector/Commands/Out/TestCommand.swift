import FluxLog
import FluxReplay

/// The command `test FILE`.
struct TestCommand: Command {
  let name = "test"
  let group = CommandGroup.out
  let synopsis = "test FILE [--import MODULE] [--stores FACTORY] [--force]"
  let summary = "write a Swift test that comes to this state again"
  let help = """
    The test dispatches the actions that lead here, on a fork those of the fork, in fresh stores, and \
    expects the states here. It begins in the state at the start, or behind the last lines before \
    here that are missing. For few actions, shrink first.

    It is for Swift Testing, in a target of the app's tests that has FluxLog, FluxRecorder and \
    FluxReplay. It imports MODULE, by default a module of the app's name, and makes stores with \
    FACTORY, by default makeStores. Where the app is there, the test is tried: a note says where it \
    is going to fail. A file that is there already is only overwritten with --force.
    """
  let examples = [
    "test TodoTests.swift", "test ShopTests.swift --import Shop --stores makeShopStores",
  ]
  let options = [
    CommandOption("--import", value: "MODULE", "the module that has the stores"),
    CommandOption("--stores", value: "FACTORY", "what makes fresh stores, () -> [any Store]"),
    CommandOption("--force", "overwrite a file that is there already"),
  ]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.file]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let path = arguments.words.first else { throw arguments.usage("a file is missing") }
    let reproduction = try session.reproduction()
    let app = session.log.header.app?.name
    let source = TestSource(
      reproduction: reproduction,
      module: try arguments.value(of: "--import") ?? module(of: app, arguments),
      stores: arguments.value(of: "--stores") ?? "makeStores", app: app)
    if !session.log.header.redacted.isEmpty {
      session.notes.append(
        "the log has tokens in the place of redacted values, and so has the test")
    }
    if session.services.app != nil,
      let problem = try reproduction.problem(in: session.app(), timeout: session.replayTimeout)
    {
      session.notes.append("with the app as it is now, the test fails: \(problem)")
    }
    let bytes = Array(source.text.utf8)
    try session.services.files.write(
      path, log: session.log.path, replacesExisting: arguments.has("--force")
    ) { write in try write(bytes) }
    return WrittenFileAnswer(.test(actions: reproduction.actions.count), path: path)
  }

  private func module(
    of app: String?, _ arguments: CommandArguments
  ) throws(CommandError) -> String {
    guard let module = SwiftText.identifier(app ?? "") else {
      throw arguments.usage("the log does not name the app, so --import has to name its module")
    }
    return module
  }
}

extension Session {
  /// What comes to the state here again: on a branch its own steps.
  fileprivate func reproduction() throws -> Reproduction {
    if let branch = branches.current { return try branch.use { try Reproduction(of: $0) } }
    return try Reproduction(of: timeline, at: try stepHere())
  }
}
