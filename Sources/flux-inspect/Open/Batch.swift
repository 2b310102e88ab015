import FluxInspector
import FluxLog
import FluxTerminal
import LineEditor
import ScriptCommands

/// Commands without a prompt: from the command line, a file, or standard input.
struct Batch {
  private var opening: TerminalSession
  private var status: BatchStatus
  private let interruption = Interruption()

  init(_ opening: TerminalSession, keepsGoing: Bool) {
    self.opening = opening
    status = BatchStatus(keepsGoing: keepsGoing)
  }

  /// Runs all commands; returns the code to end with.
  ///
  /// - Throws: `LostOutput` if standard output cannot be written to.
  mutating func run(_ arguments: SessionArguments) throws -> Int32 {
    do {
      try run(lines: arguments.input(opening.console.session.services.files))
      try warn()
    } catch let error as CommandError {
      return try fail(error)
    } catch let error as FileError {
      return try fail(CommandError(.file, error.description))
    } catch let error as LogError {
      return try fail(CommandError(.unreadable, error.message))
    }
    return exitCode
  }

  private var exitCode: Int32 { interruption.isRequested ? 130 : status.exitCode }

  private mutating func run(lines next: () throws -> LineResult) throws {
    while !status.isOver, !interruption.isRequested {
      guard case .line(let line) = try next() else { return }
      if let output = try opening.run(line) { status.add(output) }
    }
  }

  /// Writes the findings about the log, once all of it is indexed.
  private func warn() throws {
    let log = opening.console.session.timeline.log
    try log.waitForIndex {
      if interruption.isRequested { throw CommandError(.cancelled, "interrupted") }
    }
    for (kind, message) in try TerminalSession.remarks(on: log) {
      try opening.printer.complain(kind, message)
    }
  }

  private func fail(_ error: CommandError) throws -> Int32 {
    if error.code != .cancelled { try opening.printer.complain("error", error) }
    return max(exitCode, error.exitCode)
  }
}

extension SessionArguments {
  /// Returns a function that reads the next command.
  fileprivate func input(_ files: any FileService) throws -> () throws -> LineResult {
    guard hasCommands else { return PlainReader(descriptor: 0, name: "standard input").readLine }
    var lines = commands
    if let script {
      // By scalars: in characters, a carriage return and a line feed are one.
      lines += try files.read(script).unicodeScalars.split(separator: "\n").map { String($0) }
    }
    var rest = lines[...]
    return { rest.popFirst().map(LineResult.line) ?? .endOfInput }
  }
}
