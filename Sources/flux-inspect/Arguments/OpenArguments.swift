import ArgumentParser
import FluxSubcommands

/// The arguments that open a log: those of `open`, and of the program without a subcommand.
struct OpenArguments: ParsableArguments {
  @Argument(help: "The log to open, a folder of logs, or - for standard input", completion: .log)
  var log: String

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
}
