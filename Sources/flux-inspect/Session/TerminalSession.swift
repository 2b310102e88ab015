import FluxCommands
import FluxCorpus
import FluxInspector
import FluxLog
import FluxReplay
import FluxSubcommands
import FluxSystem
import LineEditor

/// A session with a log, and the services of the machine that it uses.
struct TerminalSession {
  let printer: Printer
  var console: Console

  var command: RunningCommand { printer.command }

  /// Opens a log.
  ///
  /// - Throws: `LogError` and `CommandError` if it cannot be opened.
  init(_ log: String, _ settings: Settings, _ printer: Printer) throws {
    self.printer = printer
    var services = Services(printer.command)
    services.shell = SystemShell()
    printer.command.begin()
    defer { printer.command.clear() }
    console = Console(Session(try services.open(log), services: services))
    console.settings = settings
    console.emit = { output, settings in
      do {
        return try printer.print(output, settings)
      } catch let error as LostOutput {
        // The command that emits would take it for its own failure.
        printer.command.fail(error)
        throw error
      }
    }
  }

  /// Runs a line, or repeats the last navigation if it is nil, and writes the output; returns nil if there is none.
  ///
  /// - Throws: `LostOutput` if standard output cannot be written to.
  mutating func run(_ line: String?) throws -> CommandOutput? {
    try run { console in line.map { console.run($0) } ?? console.repeatNavigation() }
  }

  /// Runs a line of a batch, and writes the output; returns nil if there is none.
  ///
  /// - Throws: `LostOutput` if standard output cannot be written to.
  mutating func run(_ line: BatchLine, in status: BatchStatus) throws -> CommandOutput? {
    try run { console in
      let output = console.run(line.text, in: status)
      guard let place = line.place else { return output }
      return output?.placed(in: place.file, line: place.line)
    }
  }

  private mutating func run(
    _ body: (inout Console) -> CommandOutput?
  ) throws -> CommandOutput? {
    command.begin()
    defer { command.clear() }
    guard let output = body(&console) else { return nil }
    try command.rethrow()
    return try write(output)
  }

  /// Goes to the newest step of the running app; writes and returns the error if that is not possible.
  mutating func beginLive() throws -> CommandError? {
    do {
      _ = try console.session.follow()
      return nil
    } catch {
      let error = CommandError(error, in: console.session)
      try printer.complain("error", error)
      return error
    }
  }

  /// Goes to the position of the arguments; writes only errors and notes.
  mutating func begin(at position: String) throws -> CommandError? {
    command.begin()
    defer { command.clear() }
    guard let output = console.run("goto \(position)") else { return nil }
    guard let error = output.error else {
      for note in output.notes { try printer.complain("note", note) }
      return nil
    }
    try printer.print(output, console.settings)
    return error
  }

  /// Runs the user's own commands, and writes only the first error; options of the program count more than settings there.
  mutating func runInitFile(before options: OutputOptions) throws {
    // The path is a string that lives until the end of the call.
    guard let path = UserFolders(printer.environment).initFile, unsafe access(path, R_OK) == 0
    else { return }
    let emit = console.emit
    // Nobody has asked for results; the first error comes back with its place.
    console.emit = Console.discard
    defer {
      console.emit = emit
      options.apply(to: &console.settings)
    }
    command.begin()
    defer { command.clear() }
    if let error = console.run("source \(path.commandWord)")?.error {
      try printer.complain("warning", error)
    }
    try command.rethrow()
  }

  /// The findings about the log as messages: a `warning` for damage, a `note` for a truncated end.
  static func remarks(on log: LogFile) throws(LogError) -> [(kind: String, message: String)] {
    try log.waitForIndex()
    var remarks: [(kind: String, message: String)] = []
    let findings = log.findings.filter { $0.problem.severity >= .warning }
    if let first = findings.first {
      let more = findings.count > 1 ? "; \(findings.count - 1) more: see 'info'" : ""
      remarks.append(("warning", "\(log.path): \(first)\(more)"))
    }
    if let sentence = log.tornEnd { remarks.append(("note", sentence)) }
    return remarks
  }

  /// Writes an output, or the failure if its result cannot be completed.
  private func write(_ output: CommandOutput) throws -> CommandOutput {
    do {
      return try printer.print(output, console.settings)
    } catch let error as LostOutput {
      throw error
    } catch let error as FileError {
      var settings = console.settings
      settings.usesPager = false
      let failure = CommandError(
        .shell, error.description, hint: "'set pager off' shows output without a pager")
      return try printer.print(output.failing(failure), settings)
    } catch {
      return try printer.print(output.failing(error), console.settings)
    }
  }
}

/// A line of a batch.
struct BatchLine {
  let text: String
  /// The file and the number of the line, for errors; nil for a command of the command line.
  var place: (file: String, line: Int)?
}
