public import FluxCore
public import FluxLog
public import FluxReplay

/// Runs recorded actions again, in fresh stores of the app.
///
/// ```swift
/// let replayer = Replayer(stores: makeStores)
/// let report = try await replayer.verify(log)
/// print(report.text)
/// ```
/// Effects never run: what they dispatched is in the log.
public struct Replayer: Sendable {
  /// The app, as the algorithms of FluxReplay take it.
  public let app: DispatcherApp

  /// Makes a replayer.
  ///
  /// - Parameters:
  ///   - evolution: How the app has changed since logs were recorded.
  ///   - stores: Makes fresh stores, those that the app's own dispatcher has.
  public init(
    evolution: Evolution = Evolution(), stores: @escaping @Sendable () -> [any Store]
  ) {
    app = DispatcherApp(evolution: evolution, stores: stores)
  }

  /// Dispatches the actions of a log again, and compares what they lead to with what is recorded.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - options: How to verify.
  /// - Returns: The report.
  /// - Throws: `LogError` where the log cannot be read, `ReplayFailure` where a state or an action
  ///   cannot be encoded, `CancellationError` where the task is cancelled.
  public func verify(
    _ log: LogFile, options: Verification.Options = Verification.Options()
  ) async throws -> ReplayReport {
    try Verification(of: Timeline(log), in: app, options: options).run { _, _ in
      try Task.checkCancellation()
    }
  }

  /// The states of a log at a position, as the stores of today have them.
  ///
  /// - Parameters:
  ///   - position: The position, as `Timeline` counts.
  ///   - timeline: The log.
  /// - Returns: The states; a store that the log does not know is in its initial state.
  /// - Throws: `LogError` where the states there are not known or cannot be read, `ReplayFailure` where
  ///   they do not fit the stores.
  public func states(at position: Int, of timeline: Timeline) throws -> Model {
    try app.model(of: timeline, at: position)
  }

  /// Begins a fork of a log, in fresh stores.
  ///
  /// - Parameters:
  ///   - position: The position that it leaves the log at, as `Timeline` counts.
  ///   - timeline: The log.
  /// - Returns: The fork.
  /// - Throws: `LogError` where the states there are not known or cannot be read, `ReplayFailure` where
  ///   they do not fit the stores.
  public func fork(at position: Int, of timeline: Timeline) throws -> Fork {
    try Fork(at: position, of: timeline, in: app)
  }

  /// Begins a fork of a log before a range of steps, and dispatches them again, with their follow-ups.
  ///
  /// - Parameters:
  ///   - range: The positions of the steps.
  ///   - timeline: The log.
  ///   - skipped: The numbers of steps that are left out.
  ///   - replacements: Other actions in the place of recorded ones, by the steps' numbers.
  /// - Returns: The fork.
  /// - Throws: `RedispatchError` where a step cannot be skipped or replaced, and as
  ///   ``fork(at:of:)`` does.
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
