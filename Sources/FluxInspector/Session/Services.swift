public import FluxReplay

/// What a session needs of the world around it; a shell gives the real things, a test its own.
public struct Services: Sendable {
  /// Asked often while a command works: whether it is to stop.
  public var isInterrupted: @Sendable () -> Bool = { false }

  /// Told now and then how far a command that takes long has come.
  public var progress: @Sendable (Progress) -> Void = { _ in }

  /// Gets what a command gives before it ends, and how to write it: the outputs of the commands of a
  /// sourced file, and the steps that `play` and `browse` pass.
  public var emit: @Sendable (CommandOutput, Settings) throws -> Void = { _, _ in }

  /// Waits so many seconds, as `play` asks for; returns early where it is interrupted.
  public var pause: @Sendable (Double) -> Void = { _ in }

  /// Reads keys; nil where there is no terminal.
  public var keys: (any KeyService)?

  /// Reads and writes files.
  public var files: any FileService = NoFiles()

  /// The app that recorded actions are dispatched to again; nil where there is none, so that the
  /// commands which need it say how to get one.
  public var app: (any ReplayApp)?

  /// The words that start the inspector in the shell lines that a command suggests; not quoted.
  public var invocation = "flux-inspect"

  /// Runs shell commands.
  public var shell: any ShellService = NoShell()

  /// Makes services that never interrupt, wait for nothing, and have neither files, a shell nor an app.
  public init() {}
}

/// How far a command has come.
public struct Progress: Sendable, Equatable {
  /// What is being done: `indexing`, `searching`.
  public let activity: String
  /// How much of it is done.
  public let done: Int
  /// How much there is to do.
  public let total: Int
}
