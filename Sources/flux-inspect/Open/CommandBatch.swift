import FluxCommands
import FluxInspector
import FluxLog
import FluxSubcommands
import FluxTerminal
import LineEditor

/// Commands without a prompt: from the command line, a file, or standard input.
struct CommandBatch {
  private var opening: TerminalSession
  private var status: BatchStatus
  /// The log of the running app; nil if the session is with none.
  private let attached: AttachedLog?
  private let interruption = Interruption()

  init(_ opening: TerminalSession, keepsGoing: Bool, attached: AttachedLog? = nil) {
    self.opening = opening
    self.attached = attached
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

  private mutating func run(lines next: () throws -> BatchLine?) throws {
    while !status.isOver, !interruption.isRequested {
      guard let line = try next() else { return }
      if let output = try opening.run(line, in: status) { status.add(output) }
    }
  }

  /// Writes the findings about the log, once all of it is indexed.
  private func warn() throws {
    let log = opening.console.session.timeline.log
    try log.waitForIndex {
      if interruption.isRequested { throw CommandError.cancelled }
    }
    for (kind, message) in try TerminalSession.remarks(on: log) {
      try opening.printer.complain(kind, message)
    }
    if let failure = attached?.failure {
      throw CommandError(.file, "the copy of the app's log is not complete: \(failure)")
    }
  }

  private func fail(_ error: CommandError) throws -> Int32 {
    if error.code != .cancelled { try opening.printer.complain("error", error) }
    return max(exitCode, error.exitCode)
  }
}

extension SessionArguments {
  /// Returns a function that reads the next command; it returns nil at the end.
  fileprivate func input(_ files: any FileService) throws -> () throws -> BatchLine? {
    guard hasCommands else {
      let name = "standard input"
      let reader = PlainReader(standardInput: name)
      var number = 0
      return {
        guard case .line(let text) = try reader.readLine() else { return nil }
        number += 1
        return BatchLine(text: text, place: (name, number))
      }
    }
    var lines = commands.map { BatchLine(text: $0) }
    if let commandFile {
      // By scalars: in characters, a carriage return and a line feed are one.
      let texts = try files.read(commandFile).unicodeScalars.split(
        separator: "\n", omittingEmptySubsequences: false)
      lines += texts.enumerated().map { offset, text in
        BatchLine(text: String(text), place: (commandFile, offset + 1))
      }
    }
    var rest = lines[...]
    return { rest.popFirst() }
  }
}
