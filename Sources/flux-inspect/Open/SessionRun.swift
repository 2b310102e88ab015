import FluxCommands
import FluxHost
import FluxInspector
import FluxReplay
import FluxSubcommands
import FluxSystem
import LineEditor

/// A session as the arguments ask for it: at a prompt, or as a batch.
struct SessionRun {
  let printer: Printer
  private let arguments: SessionArguments
  private let app: AppOptions
  private let output: OutputOptions
  /// The lines of a session with a prompt; `nil` for a batch.
  private let input: (any LineInput)?

  init(_ arguments: SessionArguments, _ app: AppOptions, _ output: OutputOptions) throws {
    self.arguments = arguments
    self.app = app
    self.output = output
    var printer = Printer(RunningCommand())
    input = try Self.input(for: arguments, printer.environment)
    if input is LineEditor, let pager = PagerCommand(environment: printer.environment) {
      printer.page = { try $0.print($1, as: $2, in: pager) }
    }
    self.printer = printer
  }

  func close() { (input as? LineEditor)?.close() }

  /// Returns the log that an argument stands for, of which a folder leaves the choice at a prompt; nil if the user
  /// picks none.
  ///
  /// - Throws: `CommandError` if a folder has no log, `LostOutput` if the terminal cannot be written to.
  func log(in argument: String) throws -> String? {
    guard let input else { return argument }
    return try LogChoice(input: input, printer: printer).log(in: argument)
  }

  /// Opens a log and runs what the arguments ask for; returns the exit code.
  ///
  /// The session begins at the newest step of the log of a running app. With `follows`, new steps are shown as they arrive.
  ///
  /// - Throws: `LostOutput` if a stream cannot be written to.
  func run(
    _ log: String, follows: Bool, live: (any LiveApp)? = nil, attached: AttachedLog? = nil
  ) throws -> Int32 {
    var settings = output.settings
    settings.keepsGoing = arguments.keepGoing
    var opening: TerminalSession
    do {
      opening = try TerminalSession(log, settings, printer)
    } catch let error as LostOutput {
      throw error
    } catch {
      let error = CommandError(opening: error)
      try printer.complain("error", error)
      return error.exitCode
    }
    let command = opening.command
    do {
      opening.console.session.services.app = try app.replayApp(printer, live) { path in
        HostApp(executable: path, isCancelled: { command.isInterruptedWaiting })
      }
    } catch let error as CommandError {
      try printer.complain("error", error)
      return error.exitCode
    }
    opening.console.session.services.live = live
    if live != nil, let error = try opening.beginLive() { return error.exitCode }
    if !arguments.noInit { try opening.runInitFile(before: output) }
    if let position = arguments.position, let error = try opening.begin(at: position) {
      return error.exitCode
    }
    guard let input else {
      if follows, live == nil {
        try printer.complain(
          "note", "--follow needs a terminal; this batch ends with the log as it is now")
      }
      var batch = CommandBatch(opening, keepsGoing: arguments.keepGoing, attached: attached)
      return try batch.run(arguments)
    }
    return try InteractiveShell(opening, input).run(follows: follows, attached: attached)
  }

  private static func input(
    for arguments: SessionArguments, _ environment: [String: String]
  ) throws -> (any LineInput)? {
    guard !arguments.batch, !arguments.hasCommands, isatty(0) == 1, isatty(1) == 1 else {
      return nil
    }
    do {
      return try LineEditor(name: "flux-inspect", environment: environment)
    } catch LineEditorError.notATerminal {
      return PlainPrompt()
    }
  }
}
