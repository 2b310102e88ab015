public import FluxCore
public import FluxLog
public import FluxReplay

/// Replays recorded actions in fresh stores of the app.
///
/// ```swift
/// let replayer = Replayer(stores: makeStores)
/// let report = try await replayer.verify(log)
/// print(report.text)
/// ```
/// Effects never run, because the log contains the actions that they dispatched.
public struct Replayer: Sendable {
  /// The app in the form that FluxReplay uses.
  public let app: DispatcherApp

  /// Creates a replayer.
  ///
  /// - Parameters:
  ///   - evolution: The changes to the app since its logs were recorded.
  ///   - circumstances: The current flags and other constants, as in `Recorder.Options`. A report says which
  ///     of them differ from the recorded ones.
  ///   - stores: Creates fresh stores, the same as for the app's own dispatcher.
  public init(
    evolution: Evolution = Evolution(), circumstances: [String: any Encodable & Sendable] = [:],
    stores: @escaping @Sendable () -> [any Store]
  ) {
    app = DispatcherApp(evolution: evolution, circumstances: circumstances, stores: stores)
  }

  /// Replays the actions of a log, and compares the results with the recorded ones.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - options: The options of the verification.
  /// - Returns: The report.
  /// - Throws: `LogError` if the log cannot be read, `ReplayFailure` if a state or an action cannot
  ///   be encoded, `CancellationError` if the task is cancelled.
  public func verify(
    _ log: LogFile, options: Verification.Options = Verification.Options()
  ) async throws -> ReplayReport {
    try Verification(of: Timeline(log), in: app, options: options).run { _, _ in
      try Task.checkCancellation()
    }
  }

  /// Returns the states of a log at a position, decoded by the current stores.
  ///
  /// - Parameters:
  ///   - position: The position in `timeline`.
  ///   - timeline: The log.
  /// - Returns: The states; a store that is not in the log has its initial state.
  /// - Throws: `LogError` if the states at the position are unknown or cannot be read,
  ///   `ReplayFailure` if they do not fit the stores.
  public func states(at position: Int, of timeline: Timeline) throws -> Model {
    try app.model(of: timeline, at: position)
  }

  /// Begins a fork of a log in fresh stores.
  ///
  /// - Parameters:
  ///   - position: The position in `timeline` at which the fork begins.
  ///   - timeline: The log.
  /// - Returns: The fork.
  /// - Throws: `LogError` if the states at the position are unknown or cannot be read,
  ///   `ReplayFailure` if they do not fit the stores.
  public func fork(at position: Int, of timeline: Timeline) throws -> Fork {
    try Fork(at: position, of: timeline, in: app)
  }

  /// Begins a fork before a range of steps, and dispatches these steps again.
  ///
  /// Their follow-ups are dispatched again too.
  ///
  /// - Parameters:
  ///   - range: The positions of the steps.
  ///   - timeline: The log.
  ///   - skipped: The numbers of steps to skip.
  ///   - replacements: Actions that replace recorded ones, by step number.
  /// - Returns: The fork.
  /// - Throws: `RedispatchError` if a step cannot be skipped or replaced, and the errors of
  ///   ``fork(at:of:)``.
  public func redispatch(
    _ range: Range<Int>, of timeline: Timeline, skipping skipped: Set<UInt64> = [],
    replacing replacements: [UInt64: any Action] = [:]
  ) throws -> Fork {
    let coder = ActionCoder()
    return try Fork.redispatching(
      range, of: timeline, in: app, skipping: skipped,
      replacing: replacements.mapValues { try coder.encode($0) })
  }
}
