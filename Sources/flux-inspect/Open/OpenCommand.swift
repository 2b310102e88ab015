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

  @OptionGroup
  var arguments: OpenArguments

  func run() throws {
    let run = try SessionRun(arguments.session, arguments.output)
    defer { run.close() }
    try run.printer.run {
      guard let log = try run.log(in: arguments.log) else { return 0 }
      return try run.run(log, follows: arguments.follow)
    }
  }
}
