import FluxJSON
import FluxReplay

/// A running app as one to replay: its sessions run in the process of the app.
///
/// They share the app's variables, so there are no other environments, and a step that crashes takes the app down.
struct AttachedReplay: SourceTellingApp {
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

  func source(of actions: [JSON]) throws(ReplayFailure) -> AppSource {
    let params = ["actions": actions]
    return AppSource(
      try HostConnection(app).ask(.source, limit: limits.start, params: params), of: actions)
  }

  func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    try HostSession(HostConnection(app), of: app.welcome.app, limits, start, restarting: nil)
  }
}
