import FluxCommands
import FluxInspector
import FluxJSON
import Foundation

/// Runs the commands from standard input, one per line, until one fails.
struct CommandLoop {
  private var console: Console
  private var status = BatchStatus(keepsGoing: false)

  init(_ session: Session) {
    console = Console(session)
    console.emit = { try Self.write($0, $1) }
  }

  /// Runs the commands and returns the exit code.
  mutating func run() throws -> Int32 {
    while !status.isOver, let line = readLine() {
      guard let output = console.run(line) else { continue }
      status.add(try Self.write(output, console.settings))
    }
    return status.exitCode
  }

  /// Results go to standard output, everything else to standard error.
  private static func write(_ output: CommandOutput, _ settings: Settings) throws -> CommandOutput {
    try settings.format.format().write(
      output, to: ByteSink { try FileHandle.standardOutput.write(contentsOf: Data($0)) },
      diagnostics: ByteSink { try FileHandle.standardError.write(contentsOf: Data($0)) })
  }
}
