import ArgumentParser
import FluxInspector
import FluxLog
import FluxSubcommands

/// `flux-inspect [open] LOG`: a session with a log, or a batch of commands.
struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open a log in a session, or run a batch of commands",
    discussion: """
      In a session, 'help' lists the commands. A Redux DevTools session is imported into a temporary \
      log first; 'flux-inspect import' makes one that stays. A log may be compressed with gzip or zstd; - reads it \
      from standard input. For a folder, you pick one of its logs.
      """)

  @Argument(help: "The log to open, a folder of logs, or - for standard input", completion: .log)
  var log: String

  @OptionGroup
  var app: AppOptions

  @OptionGroup
  var session: SessionArguments

  @Flag(help: "Follow a log that is still being written, and show new steps as they arrive")
  var follow = false

  /// Does nothing: earlier versions kept an index next to a large log, and scripts may turn it off.
  @Flag(help: .private)
  var noIndex = false

  @OptionGroup(title: "Output")
  var output: OutputOptions

  func validate() throws {
    guard log != LogInput.standardInput || session.hasCommands else {
      throw ValidationError(
        "the log is read from standard input, so commands must come from -e or -x")
    }
    guard follow, session.batch || session.hasCommands else { return }
    throw ValidationError(
      "--follow needs a session with a prompt; remove it, or remove --batch, -e and -x")
  }

  func run() throws {
    let run = try SessionRun(session, app, output)
    defer { run.close() }
    try run.printer.run {
      guard let log = try run.log(in: log) else { return 0 }
      return try run.run(log, follows: follow)
    }
  }
}
