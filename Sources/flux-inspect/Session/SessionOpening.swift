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

/// A session with a log, and what it needs of the machine.
struct SessionOpening {
  let printer: Printer
  let command: RunningCommand
  var session: Session

  /// Opens the log.
  ///
  /// - Throws: `LogError` where it cannot be opened.
  init(_ arguments: OpenCommand, _ printer: Printer) throws(LogError) {
    self.printer = printer
    let log = try LogFile.open(arguments.log)
    Interruption.watch()
    let command = RunningCommand(
      showsProgress: isatty(2) == 1 && TerminalKind(environment: printer.environment) == .full)
    self.command = command
    let settings = arguments.settings
    var services = Services()
    services.isInterrupted = { command.isInterrupted }
    services.progress = { command.show($0) }
    services.pause = { command.pause($0) }
    services.files = SystemFiles()
    services.shell = SystemShell()
    services.emit = { output in
      command.clear()
      try printer.print(output, settings)
    }
    session = Session(log, services: services)
    session.settings = settings
  }

  /// Runs a line, or repeats the last navigation, and writes what it gives; nil for a line that does
  /// nothing.
  ///
  /// - Throws: `Errno` where standard output takes no more.
  mutating func run(_ line: String?) throws -> CommandOutput? {
    command.begin()
    let output = line.map { session.run($0) } ?? session.repeatNavigation()
    command.clear()
    guard let output else { return nil }
    try printer.print(output, session.settings)
    return output
  }

  /// Goes to where the arguments want to begin, and says nothing of it but what is wrong.
  mutating func begin(at position: String) throws -> CommandError? {
    command.begin()
    defer { command.clear() }
    guard let output = session.run("goto \(position)"), let error = output.error else { return nil }
    command.clear()
    try printer.print(output, session.settings)
    return error
  }

  /// Runs the user's own commands, and says only what is wrong with them.
  mutating func runInitFile() throws {
    let path = UserFolders(printer.environment).initFile
    // The path is a string that lives until the end of the call.
    guard unsafe access(path, R_OK) == 0 else { return }
    let emit = session.services.emit
    session.services.emit = { if $0.error != nil { try emit($0) } }
    defer { session.services.emit = emit }
    command.begin()
    if let error = session.run("source \(path)")?.error {
      try printer.complain("warning", error.description)
    }
    command.clear()
  }

  /// What is wrong with the log, however sound the steps are that are looked at; nil where it is sound.
  static func warning(about log: LogFile) throws(LogError) -> String? {
    try log.waitForIndex()
    let findings = log.findings.filter { $0.problem.severity >= .warning }
    guard let first = findings.first else { return nil }
    let more = findings.count > 1 ? "; \(findings.count - 1) more: see 'info'" : ""
    return "\(log.path): \(first)\(more)"
  }
}

extension OpenCommand {
  /// The settings that a session begins with.
  fileprivate var settings: Settings {
    var settings = output.settings
    settings.keepsGoing = keepGoing
    return settings
  }
}
