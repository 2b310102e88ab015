import ArgumentParser
import FluxHost
import FluxInspector
import FluxLog
import FluxReplay
import FluxSystem
import LineEditor
import ScriptCommands
import SystemPackage

/// `flux-inspect [open] LOG`: a session with a log, or a batch of commands.
struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open a log in a session, or run a batch of commands",
    discussion: """
      In a session, 'help' lists the commands. A session of Redux DevTools is imported into a temporary \
      log first; 'flux-inspect import' makes one that stays. A log may be compressed with gzip or zstd; - reads it \
      from standard input. Of a folder, you pick one of its logs.
      """)

  @OptionGroup
  var arguments: OpenArguments

  func run() throws {
    let code = try open()
    if code != 0 { throw ExitCode(code) }
  }

  /// Opens the log and runs what the arguments ask for; returns the exit code.
  private func open() throws -> Int32 {
    var printer = Printer(RunningCommand())
    let editor = try editor(printer.environment)
    defer { editor?.close() }
    if editor != nil, let pager = PagerCommand(environment: printer.environment) {
      printer.page = { try $0.print($1, as: $2, in: pager) }
    }
    let imported: ImportedLog?
    do {
      imported = try ImportedLog(from: arguments.log, printer)
    } catch let error as CommandError {
      try printer.complain("error", error)
      return error.exitCode
    }
    var opening: TerminalSession
    do {
      var log: String? = imported?.path ?? arguments.log
      if let editor, imported == nil { log = try LogChoice(editor, printer).log(in: arguments.log) }
      guard let log else { return 0 }
      opening = try TerminalSession(log, arguments.settings, printer)
    } catch let error as Errno {
      throw error
    } catch {
      let error = CommandError(opening: error)
      try printer.complain("error", error)
      return error.exitCode
    }
    opening.console.session.services.app = arguments.app.map { path in
      let command = opening.command
      return HostApp(executable: path, isCancelled: { command.isInterruptedWaiting })
    }
    if !arguments.noInit { try opening.runInitFile() }
    if let position = arguments.position, let error = try opening.begin(at: position) {
      return error.exitCode
    }
    guard let editor else {
      var batch = Batch(opening, keepsGoing: arguments.keepGoing)
      return try batch.run(arguments)
    }
    return try InteractiveShell(opening, editor).run(follows: arguments.follow)
  }

  /// The editor of a session with a prompt; `nil` for a batch.
  private func editor(_ environment: [String: String]) throws -> LineEditor? {
    guard !arguments.batch, !arguments.hasCommands, isatty(0) == 1, isatty(1) == 1 else {
      return nil
    }
    do {
      return try LineEditor(name: "flux-inspect", environment: environment)
    } catch LineEditorError.notATerminal {
      // A terminal that can only print, as TERM=dumb says.
      return nil
    }
  }
}
