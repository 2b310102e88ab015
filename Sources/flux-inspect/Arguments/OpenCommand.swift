import ArgumentParser
import FluxHost
import FluxInspector
import FluxLog
import FluxReplay
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
    help: ArgumentHelp(
      "The app's executable, which serves fresh stores on request: for verify, fork and all that "
        + "dispatches again.", valueName: "path"),
    completion: .file())
  var app: String?

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

  func validate() throws {
    guard follow, batch || hasCommands else { return }
    throw ValidationError("--follow is for a session with a prompt, not for a batch")
  }

  func run() throws {
    let code = try open()
    if code != 0 { throw ExitCode(code) }
  }

  /// Opens the log and does what is asked for; returns the code to end with.
  private func open() throws -> Int32 {
    var printer = Printer(RunningCommand())
    let editor = try editor(printer.environment)
    defer { editor?.close() }
    if editor != nil { printer.pager = PagerCommand(environment: printer.environment) }
    var opening: SessionOpening
    do {
      opening = try SessionOpening(log, settings, printer)
    } catch {
      try printer.complain("error", error.message)
      return 4
    }
    opening.console.session.services.app = app.map { path in
      let command = opening.command
      return HostApp(executable: path, isCancelled: { command.isInterruptedWaiting })
    }
    if !noInit { try opening.runInitFile() }
    if let position, let error = try opening.begin(at: position) { return error.exitCode }
    guard let editor else {
      var batch = Batch(opening, keepsGoing: keepGoing)
      return try batch.run(self)
    }
    return try InteractiveShell(opening, editor).run(follows: follow)
  }

  /// The settings that the session begins with.
  private var settings: Settings {
    var settings = output.settings
    settings.keepsGoing = keepGoing
    return settings
  }

  /// The editor of a session with a prompt; nil where there is none.
  private func editor(_ environment: [String: String]) throws -> LineEditor? {
    guard !batch, !hasCommands, isatty(0) == 1, isatty(1) == 1 else { return nil }
    do {
      return try LineEditor(name: "flux-inspect", environment: environment)
    } catch LineEditorError.notATerminal {
      // A terminal that can only print, as TERM=dumb says.
      return nil
    }
  }
}

extension PagerCommand {
  /// The pager of this machine, as the user has chosen it.
  fileprivate init?(environment: [String: String]) {
    // The path is a string that lives until the end of the call.
    self.init(environment: environment) { unsafe access($0, X_OK) == 0 }
  }
}
