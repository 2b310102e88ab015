import FluxInspector
import FluxLog
import FluxTerminal
import LineEditor
import ScriptCommands

/// Commands without a prompt: of the command line, of a file, or of standard input.
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
  /// - Throws: `Errno` where standard output takes no more.
  mutating func run(_ arguments: OpenArguments) throws -> Int32 {
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

  private mutating func run(lines input: any InputSource) throws {
    var input = input
    while !status.isOver, !interruption.isRequested {
      guard case .line(let line) = try input.next() else { return }
      if let output = try opening.run(line) { status.add(output) }
    }
  }

  /// Says what is wrong with the log, once all of it is known.
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
    if error.code != .cancelled { try opening.printer.complain("error", error.description) }
    return max(exitCode, error.exitCode)
  }
}

extension OpenArguments {
  /// Returns the source of the commands.
  fileprivate func input(_ files: any FileService) throws -> any InputSource {
    guard hasCommands else { return PlainReader(descriptor: 0, name: "standard input") }
    var lines = commands
    if let script {
      // By scalars: in characters, a carriage return and a line feed are one.
      lines += try files.read(script).unicodeScalars.split(separator: "\n").map { String($0) }
    }
    return LineList(lines)
  }
}
