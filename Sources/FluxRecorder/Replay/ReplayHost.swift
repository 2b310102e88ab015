public import FluxCore
public import FluxReplay

/// Serves the app's stores to an inspector from the app's own executable.
///
/// An inspector does not contain any app's types. It starts the app's executable and asks it to
/// dispatch recorded actions. Make this the first statement of the app:
///
/// ```swift
/// ReplayHost.runIfRequested(stores: makeStores)
/// ```
/// If an inspector did not start the app, the call returns and the app runs as usual.
/// `docs/replay-host.md` describes the protocol.
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
  /// - Parameters:
  ///   - name: The app's name.
  ///   - version: The app's version.
  ///   - evolution: The changes to the app since its logs were recorded.
  ///   - circumstances: The current flags and other constants, as in `Recorder.Options`. A report says which
  ///     of them differ from the recorded ones.
  ///   - stores: Creates fresh stores, the same as for the app's own dispatcher.
  public static func runIfRequested(
    name: String? = nil, version: String? = nil, evolution: Evolution = Evolution(),
    circumstances: [String: any Encodable & Sendable] = [:],
    stores: @escaping @Sendable () -> [any Store]
  ) {
    guard HostServer.isRequested else { return }
    let app = DispatcherApp(
      name: name, version: version, evolution: evolution, circumstances: circumstances,
      stores: stores)
    HostServer(app).serveStandardStreams()
  }

  /// Serves an app of another architecture if an inspector started this process.
  ///
  /// ```swift
  /// ReplayHost.runIfRequested(notesApp)
  /// ```
  /// - Parameter app: The app, for example a ``ReducerApp``.
  public static func runIfRequested(_ app: some ReplayApp) {
    guard HostServer.isRequested else { return }
    HostServer(app).serveStandardStreams()
  }
}
