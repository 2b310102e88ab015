import FluxInspector
import FluxLog

/// Commands without a prompt: of the command line, of a file, or of standard input.
struct Batch {
  private var opening: SessionOpening
  private var status: BatchStatus

  init(_ opening: SessionOpening, keepsGoing: Bool) {
    self.opening = opening
    status = BatchStatus(keepsGoing: keepsGoing)
  }

  /// Runs all commands; returns the code to end with.
  ///
  /// - Throws: `Errno` where standard output takes no more.
  mutating func run(_ arguments: OpenCommand) throws -> Int32 {
    do {
      try run(lines: arguments.input(opening.session.services.files))
    } catch let error as CommandError {
      try opening.printer.complain("error", error.description)
      return error.exitCode
    }
    if let warning = try SessionOpening.warning(about: opening.session.timeline.log) {
      try opening.printer.complain("warning", warning)
    }
    return status.exitCode
  }

  private mutating func run(lines input: any InputSource) throws {
    var input = input
    while !status.isOver, let line = input.nextLine() {
      if let output = try opening.run(line) { status.add(output) }
    }
  }
}

extension OpenCommand {
  /// Whether commands are given with the arguments.
  var hasCommands: Bool { script != nil || !commands.isEmpty }

  /// Where the commands come from.
  fileprivate func input(_ files: any FileService) throws -> any InputSource {
    guard hasCommands else { return StandardInput() }
    var lines = commands
    if let script {
      lines += try files.read(script).split(separator: "\n").map(String.init)
    }
    return LineList(lines)
  }
}
