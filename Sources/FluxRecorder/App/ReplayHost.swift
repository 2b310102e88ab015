public import FluxCore
public import FluxReplay

/// Serves the app to an inspector from the app's own executable.
///
/// An inspector does not contain any app's types. It starts the app's executable and asks it to
/// dispatch recorded actions. Make this the first statement of the app:
///
/// ```swift
/// ReplayHost.runIfRequested(shopApp)
/// ```
/// If an inspector did not start the app, the call returns and the app runs as usual.
/// `docs/app-protocol.md` describes the protocol.
public enum ReplayHost {
  /// Serves fresh stores if an inspector started this process; otherwise returns at once.
  ///
  /// An inspector sets the environment variable `FLUX_REPLAY_HOST` to `stdio`. The host then serves
  /// over standard input and output until the inspector is done, and ends the process. Meanwhile
  /// the app's own output goes to standard error, and its standard input is empty, so the app
  /// cannot disturb the protocol. Effects never run.
  ///
  /// Call this before the app prints, reads or starts a thread.
  ///
  /// - Parameter app: The app, usually an ``AppDefinition``.
  public static func runIfRequested(_ app: some ReplayApp) {
    guard SpawnedHost.isRequested else { return }
    SpawnedHost.serve(app)
  }

  /// Not available: an app is more than its stores.
  @available(
    *, unavailable,
    message: "describe the app: `ReplayHost.runIfRequested(AppDefinition { [MyStore()] })`"
  )
  public static func runIfRequested(_ stores: @escaping @Sendable () -> [any Store]) {}
}
