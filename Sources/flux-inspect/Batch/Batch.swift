import FluxInspector
import FluxLog
import LineEditor

/// Commands without a prompt: of the command line, of a file, or of standard input.
struct Batch {
  private var session: Session
  private var status: BatchStatus
  private let printer: Printer

  /// Runs what the arguments ask for; returns the code to end with.
  ///
  /// - Throws: `Errno` where standard output takes no more.
  static func run(_ arguments: OpenCommand) throws -> Int32 {
    let printer = Printer()
    let log: LogFile
    do {
      log = try LogFile.open(arguments.log)
    } catch {
      try printer.complain("error", error.message)
      return 4
    }
    var batch = Batch(log, arguments, printer)
    return try batch.run(arguments)
  }

  private init(_ log: LogFile, _ arguments: OpenCommand, _ printer: Printer) {
    self.printer = printer
    let settings = arguments.settings
    Interruption.watch()
    let interruption = Interruption()
    var services = Services()
    services.isInterrupted = { interruption.isRequested }
    services.files = SystemFiles()
    services.shell = SystemShell()
    services.emit = { try printer.print($0, settings) }
    session = Session(log, services: services)
    session.settings = settings
    status = BatchStatus(keepsGoing: arguments.keepGoing)
  }

  private mutating func run(_ arguments: OpenCommand) throws -> Int32 {
    if let position = arguments.position, let output = session.run("goto \(position)"),
      let error = output.error
    {
      try printer.print(output, session.settings)
      return error.exitCode
    }
    do {
      try run(lines: arguments.input(session.services.files))
    } catch let error as CommandError {
      try printer.complain("error", error.description)
      return error.exitCode
    }
    try warn()
    return status.exitCode
  }

  private mutating func run(lines input: any InputSource) throws {
    var input = input
    while !status.isOver, let line = input.nextLine() {
      guard let output = session.run(line) else { continue }
      try printer.print(output, session.settings)
      status.add(output)
    }
  }

  /// Says what is wrong with the log, however sound the steps were that were asked for.
  private func warn() throws {
    let log = session.timeline.log
    try log.waitForIndex()
    let damage = log.findings.filter { $0.problem.severity >= .warning }
    guard let first = damage.first else { return }
    let more = damage.count > 1 ? "; \(damage.count - 1) more: see 'info'" : ""
    try printer.complain("warning", "\(log.path): \(first)\(more)")
  }
}

extension OpenCommand {
  fileprivate var settings: Settings {
    var settings = output.settings
    settings.keepsGoing = keepGoing
    return settings
  }

  /// Where the commands come from.
  fileprivate func input(_ files: any FileService) throws -> any InputSource {
    guard script != nil || !commands.isEmpty else { return StandardInput() }
    var lines = commands
    if let script {
      lines += try files.read(script).split(separator: "\n").map(String.init)
    }
    return LineList(lines)
  }
}
