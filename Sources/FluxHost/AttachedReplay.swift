import FluxJSON
import FluxReplay

/// A running app as one to replay: its sessions run in the process of the app.
///
/// They share the app's variables, so there are no other environments, and a step that crashes takes the app down.
struct AttachedReplay: ReplayApp {
  let app: LiveConnection
  var limits = HostApp.Limits()

  /// `false`: the process of the app is the only one.
  var restarts: Bool { false }

  func limited(to seconds: Double?) -> any ReplayApp {
    var app = self
    (app.limits.start, app.limits.call) = (seconds ?? .infinity, seconds)
    return app
  }

  func describe() -> AppDescription { app.welcome.app }

  func source(of actions: [JSON]) throws(ReplayFailure) -> [String?] {
    HostApp.sources(try askForSource(of: actions), of: actions)
  }

  func storeSource() throws(ReplayFailure) -> StoreSource? {
    StoreSource(answer: try askForSource(of: []))
  }

  private func askForSource(of actions: [JSON]) throws(ReplayFailure) -> JSON {
    try HostConnection(app).ask(.source, limit: limits.start, params: ["actions": actions])
  }

  func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    try HostSession(
      HostConnection(app), app: app.name, app.welcome.app, limits, start, restarting: nil)
  }
}
