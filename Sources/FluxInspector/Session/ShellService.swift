/// What runs the shell commands of `!` and `|`.
public protocol ShellService: Sendable {
  /// Runs a command and waits for it.
  ///
  /// - Parameters:
  ///   - command: The text for the shell.
  ///   - capturesOutput: Whether its standard output is returned instead of shown.
  ///   - input: Writes what the command reads; nil where it reads what the session reads. A command
  ///     that reads no further ends the input without an error.
  /// - Returns: How it ended.
  /// - Throws: ``CommandError`` where it cannot be started, and what `input` throws.
  func run(
    _ command: String, capturesOutput: Bool,
    input: ((@escaping ([UInt8]) throws -> Void) throws -> Void)?
  ) throws -> ShellResult
}

/// How a shell command ended.
public struct ShellResult: Sendable, Equatable {
  /// Its exit status; 128 and the number of the signal that ended it.
  public let status: Int32
  /// What it wrote to standard output, where that was captured.
  public let output: String

  /// Makes a result.
  public init(status: Int32, output: String = "") {
    self.status = status
    self.output = output
  }
}

/// No shell.
struct NoShell: ShellService {
  func run(
    _ command: String, capturesOutput: Bool,
    input: ((@escaping ([UInt8]) throws -> Void) throws -> Void)?
  ) throws -> ShellResult {
    throw CommandError(.shell, "cannot run \(command): there is no shell here")
  }
}
