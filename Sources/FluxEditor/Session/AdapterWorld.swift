package import FluxInspector
package import FluxLog
package import FluxReplay
package import FluxSystem

/// The world around an adapter: the program provides the real one, a test its own.
package struct AdapterWorld: Sendable {
  package var open: @Sendable (_ path: String) throws -> LogFile
  /// Makes the app of an executable; throws an error if it cannot be started.
  package var app:
    @Sendable (
      _ executable: String, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws -> any ReplayApp
  /// Attaches to a running app, and calls `tell` with remarks for the user meanwhile; nil if that is not possible here.
  package var attach:
    (
      @Sendable (
        _ app: AppAddress, _ tell: (String) -> Void,
        _ isCancelled: @escaping @Sendable () -> Bool
      ) throws -> AttachedApp
    )?
  /// The files for the console.
  package var services = Services()

  /// Makes a world without files.
  package init(
    open: @escaping @Sendable (_ path: String) throws -> LogFile,
    app:
      @escaping @Sendable (
        _ executable: String, _ isCancelled: @escaping @Sendable () -> Bool
      ) throws -> any ReplayApp
  ) {
    (self.open, self.app) = (open, app)
  }
}

/// A running app that a session is attached to.
package struct AttachedApp: Sendable {
  let app: any LiveApp
  /// Ends the session's part in it; returns what the user has to know, such as the place of a copy that is kept.
  let close: @Sendable () throws -> String?

  /// Makes an app; by default, nothing is to be done at the end.
  package init(_ app: any LiveApp, close: @escaping @Sendable () throws -> String? = { nil }) {
    (self.app, self.close) = (app, close)
  }
}
