import FluxInspector
import Foundation

/// Runs the commands from standard input, one per line, until one fails.
struct CommandLoop {
  private var session: Session
  private var status = BatchStatus(keepsGoing: false)

  init(_ session: Session) {
    self.session = session
    self.session.services.emit = { try Self.write($0, $1) }
  }

  /// Runs the commands and returns the exit code.
  mutating func run() throws -> Int32 {
    while !status.isOver, let line = readLine() {
      guard let output = session.run(line) else { continue }
      try Self.write(output, session.settings)
      status.add(output)
    }
    return status.exitCode
  }

  /// Results go to standard output, everything else to standard error.
  private static func write(_ output: CommandOutput, _ settings: Settings) throws {
    try settings.format.format().write(
      output, to: ByteSink { try FileHandle.standardOutput.write(contentsOf: Data($0)) },
      diagnostics: ByteSink { try FileHandle.standardError.write(contentsOf: Data($0)) })
  }
}
