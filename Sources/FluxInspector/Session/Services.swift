public import FluxLog
public import FluxReplay

/// The world around a session: a program provides the real one, a test its own.
public struct Services: Sendable {
  /// Returns `true` if the running call is to stop; called often.
  public var isInterrupted: @Sendable () -> Bool = { false }

  /// Receives the progress of a call that takes long.
  public var progress: @Sendable (Progress) -> Void = { _ in }

  /// Waits for a number of seconds, as `play` asks for; returns early if it is interrupted.
  public var pause: @Sendable (Double) -> Void = { _ in }

  /// Receives a remark about a log that is opened, such as what an import had to leave out.
  public var note: @Sendable (String) throws -> Void = { _ in }

  /// Opens the log at a path that a user named.
  public var open: @Sendable (String) throws -> LogFile = { try LogFile.open($0) }

  /// Reads and writes files.
  public var files: any FileService = NoWorld()

  /// The app that dispatches recorded actions again; nil if there is none.
  public var app: (any ReplayApp)?

  /// The running app that the session is attached to; nil if there is none.
  package var live: (any LiveApp)?

  /// The words that start the inspector in the shell lines that a result suggests; not quoted.
  public var invocation = "flux-inspect"

  /// Runs shell commands.
  public var shell: any ShellService = NoWorld()

  /// Makes services that never interrupt and never wait, without files, a shell and an app.
  public init() {}

  /// `true` if people can paste shell lines: a page and the console of an editor have no shell.
  package var hasShell: Bool { !(shell is NoWorld) }

  /// Unlimited work that these services can cancel and follow.
  package var work: Work { Work(isCancelled: isInterrupted, progress: progress) }
}

// MARK: Files

/// Reads and writes the files of commands.
public protocol FileService: Sendable {
  /// Reads a text file.
  ///
  /// - Throws: ``CommandError`` that names the file and the problem.
  func read(_ path: String) throws(CommandError) -> String

  /// Writes a file.
  ///
  /// - Parameters:
  ///   - path: The file. It must not be `log`, under whatever name: a recording is never overwritten.
  ///   - log: The log of the session.
  ///   - replacesExisting: `true` to overwrite a file that exists.
  ///   - body: Receives the closure that takes the bytes, piece by piece.
  /// - Throws: ``CommandError`` that names the file, and errors of `body`.
  func write(
    _ path: String, log: String, replacesExisting: Bool,
    _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws

  /// Returns `true` if a path leads to a regular file or a folder; what is written to a device or a pipe replaces
  /// nothing.
  func exists(_ path: String) -> Bool

  /// Returns `true` if two paths lead to one file, also by links.
  func isSameFile(_ path: String, _ other: String) -> Bool

  /// Returns the paths of files that begin with the text; folders end with `/`.
  func completions(of prefix: String) -> [String]
}

extension FileService {
  /// Refuses the log itself, which is never overwritten, and `-`, which other programs take for standard output.
  package func protect(_ log: String, from path: String) throws(CommandError) {
    if let problem = CommandError.notFile(path) { throw problem }
    guard path == log || isSameFile(path, log) else { return }
    throw CommandError(.file, "\(path) is the log itself, which is never overwritten")
  }
}

// MARK: The shell

/// Runs the shell commands of `!` and `|`.
public protocol ShellService: Sendable {
  /// Runs a command and waits for it.
  ///
  /// - Parameters:
  ///   - command: The text for the shell.
  ///   - capturesOutput: `true` to return its standard output instead of showing it.
  ///   - input: Writes the standard input of the command; nil to let it read that of the session. A command that
  ///     stops reading ends the input without an error.
  /// - Returns: Its exit status and its output.
  /// - Throws: ``CommandError`` if it cannot be started, and errors of `input`.
  func run(
    _ command: String, capturesOutput: Bool,
    input: ((@escaping ([UInt8]) throws -> Void) throws -> Void)?
  ) throws -> ShellResult
}

/// The end of a shell command.
public struct ShellResult: CommandResult, Equatable {
  /// Its exit status; 128 plus the number of the signal that ended it.
  public let status: Int32
  /// Its standard output, if that was captured.
  public let output: String

  /// Makes a result.
  public init(status: Int32, output: String = "") {
    self.status = status
    self.output = output
  }

  package func requireSuccess(of command: String) throws(CommandError) {
    guard status != 0 else { return }
    throw CommandError(.shell, "the shell command ended with status \(status): \(command)")
  }
}

/// Neither files nor a shell.
private struct NoWorld: FileService, ShellService {
  private func refusal(_ path: String) -> CommandError {
    CommandError(.file, "cannot open \(path): there are no files here")
  }

  func read(_ path: String) throws(CommandError) -> String { throw refusal(path) }

  func write(
    _ path: String, log: String, replacesExisting: Bool,
    _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws { throw refusal(path) }

  func exists(_ path: String) -> Bool { false }

  func isSameFile(_ path: String, _ other: String) -> Bool { path == other }

  func completions(of prefix: String) -> [String] { [] }

  func run(
    _ command: String, capturesOutput: Bool,
    input: ((@escaping ([UInt8]) throws -> Void) throws -> Void)?
  ) throws -> ShellResult {
    throw CommandError(.shell, "cannot run \(command): there is no shell here")
  }
}
