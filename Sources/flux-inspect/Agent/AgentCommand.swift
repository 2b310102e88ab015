import ArgumentParser
import FluxAgent
import FluxHost
import FluxInspector
import FluxLog
import FluxReplay
import FluxSubcommands
import FluxSystem
import Foundation

/// `flux-inspect mcp`: recordings for coding agents.
struct AgentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp", abstract: "Serve recordings to a coding agent",
    discussion: """
      A coding agent starts this command, and speaks the Model Context Protocol on its standard input and output. It can \
      read the logs you name, and those in the folders you name, and nothing else. With --app or --attach it can \
      also dispatch recorded actions again, which runs the app's code. docs/agents.md shows the setup for Claude Code, \
      Cursor, VS Code, Xcode and Zed.
      """)

  @Argument(help: "The logs, and folders of logs", completion: .log)
  var logs: [String] = []

  @Option(
    help: ArgumentHelp(
      "The app's executable, which replays actions in fresh stores", valueName: "path"),
    completion: .file())
  var app: String?

  @Option(
    help: ArgumentHelp(
      "The running app to attach to, by its name or process ID", valueName: "app"))
  var attach: String?

  @Option(
    help: ArgumentHelp(
      "The maximum size of an answer in bytes, at least \(AgentWorld.smallestBudget)",
      valueName: "bytes"))
  var budget = AgentWorld.usualBudget

  func validate() throws {
    try AppPlaceOptions.check(name: attach)
    guard !logs.isEmpty || attach != nil else {
      throw ValidationError(
        "Missing expected argument '<logs>'; name logs or folders, or a running app with --attach")
    }
    guard app == nil || attach == nil else {
      throw ValidationError(
        "--attach replays in the running app; remove --app, or start a second server")
    }
    guard budget >= AgentWorld.smallestBudget else {
      throw ValidationError("--budget is at least \(AgentWorld.smallestBudget) bytes")
    }
  }

  func run() throws { try run(serving: serve) }

  private func serve() throws(CommandError) -> Int32 {
    var world = AgentWorld(roots: try logs.map(Self.existing)) { name in
      let log = try TemporaryLog(name)
      return AgentWorld.KeptFile(path: log.path, keeper: log)
    }
    world.open = { path in try LogInput().open(path) }
    if let app {
      let executable = try Self.existing(app)
      world.app = { HostApp(executable: executable, isCancelled: $0) }
    }
    if let attach {
      world.attach = { isCancelled in
        let app = try LiveConnection.attached(
          to: .local(attach), tell: { complain($0) }, isCancelled: isCancelled)
        do throws(CommandError) {
          _ = try AttachedLog(of: app)
        } catch {
          // Logs that the app does not record can be replayed all the same.
          complain("note: \(error.message)")
        }
        return app
      }
    }
    world.version = ProgramVersion.number
    world.budget = budget
    let (input, output) = try Descriptor.standardStreams()
    do throws(SystemError) {
      try AgentServer(world, reading: input, writing: output).run()
    } catch {
      throw CommandError(error, at: "the client")
    }
    return 0
  }

  /// Returns a path that leads to a file or a folder.
  private static func existing(_ path: String) throws(CommandError) -> String {
    do throws(SystemError) {
      guard try FileStatus(path: path) != nil else {
        throw SystemError("open", code: ENOENT)
      }
      return path
    } catch {
      throw CommandError(error, "cannot open \(path)")
    }
  }
}
