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
}
