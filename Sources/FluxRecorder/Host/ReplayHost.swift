public import FluxCore
import FluxReplay

/// Makes an app's own executable serve its stores to an inspector.
///
/// An inspector does not contain the types of any app: it starts the app's executable, and asks it to
/// dispatch recorded actions. The first statement of the app is
///
/// ```swift
/// ReplayHost.runIfRequested(stores: makeStores)
/// ```
/// Started by hand, the app goes on from there as ever. `docs/replay-host.md` has the protocol.
public enum ReplayHost {
  /// Serves fresh stores where this process was started for it, and returns at once otherwise.
  ///
  /// It is asked for by the environment variable `FLUX_REPLAY_HOST` with the value `stdio`; then it serves
  /// over standard input and output until the other side has had enough, and ends the process. What the
  /// app prints in the meantime goes to standard error, and standard input is empty, so nothing of the
  /// app gets into the protocol. Effects never run.
  ///
  /// Nothing of the app may have run before: neither printed, nor read, nor started a thread.
  ///
  /// - Parameters:
  ///   - name: The app's name.
  ///   - version: The app's version.
  ///   - evolution: How the app has changed since logs were recorded.
  ///   - stores: Makes fresh stores, those that the app's own dispatcher has.
  public static func runIfRequested(
    name: String? = nil, version: String? = nil, evolution: Evolution = Evolution(),
    stores: @escaping @Sendable () -> [any Store]
  ) {
    guard HostServer.isRequested else { return }
    let app = DispatcherApp(name: name, version: version, evolution: evolution, stores: stores)
    HostServer(app).serveStandardStreams()
  }
}
