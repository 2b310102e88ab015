import ArgumentParser
import FluxInspector
import FluxLog
import LineEditor

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// `flux-inspect [open] LOG`: a session with a log.
struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Opens a log for a session, or for a batch of commands.",
    discussion: "In a session, 'help' lists the commands.")

  @Argument(help: "The log.", completion: .file(extensions: ["jsonl"]))
  var log: String

  @Option(
    name: .customShort("e"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Runs a command and ends; may be given several times.", valueName: "command")
  )
  var commands: [String] = []

  @Option(
    name: .customShort("x"),
    help: ArgumentHelp(
      "Runs the commands of a file, after those of -e, and ends.", valueName: "file"),
    completion: .file())
  var script: String?

  @Option(
    name: .customShort("g"), parsing: .unconditional,
    help: ArgumentHelp("Begins at this position: 42, 50%, end, todo/add#3.", valueName: "position"))
  var position: String?

  @Flag(help: "Reads commands from standard input without a prompt, also from a terminal.")
  var batch = false

  @Flag(help: "Goes on after a command that failed; the largest exit code counts.")
  var keepGoing = false

  @Flag(help: "Does not run the commands of flux-inspect/init in the configuration folder.")
  var noInit = false

  @Flag(help: "Follows a log that is still being written, and shows new steps as they come.")
  var follow = false

  @OptionGroup(title: "Output")
  var output: OutputOptions

  func run() throws {
    let code = try open()
    if code != 0 { throw ExitCode(code) }
  }

  /// Opens the log and does what is asked for; returns the code to end with.
  private func open() throws -> Int32 {
    let printer = Printer()
    var opening: SessionOpening
    do {
      opening = try SessionOpening(self, printer)
    } catch {
      try printer.complain("error", error.message)
      return 4
    }
    if !noInit { try opening.runInitFile() }
    if let position, let error = try opening.begin(at: position) { return error.exitCode }
    guard let editor = try editor(printer) else {
      var batch = Batch(opening, keepsGoing: keepGoing)
      return try batch.run(self)
    }
    let shell = InteractiveShell(opening, editor)
    defer { shell.close() }
    return try shell.run(follows: follow)
  }

  /// The editor of a session with a prompt; nil where there is none.
  private func editor(_ printer: Printer) throws -> LineEditor? {
    guard !batch, !hasCommands, isatty(0) == 1, isatty(1) == 1 else { return nil }
    do {
      return try LineEditor(name: "flux-inspect", environment: printer.environment)
    } catch LineEditorError.notATerminal {
      // A terminal that can only print, as TERM=dumb says.
      return nil
    }
  }
}
