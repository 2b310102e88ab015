import FluxJSON
import FluxLog
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
    try HostSession(
      HostConnection(app), app: app.name, app.welcome.app, limits, start, restarting: nil)
  }
}

extension AttachedReplay: SelfVerifyingApp {
  /// Asks the app to verify the log where it runs, if it supports that and may have the same log.
  func passingReport(
    on timeline: Timeline, _ options: Verification.Options,
    _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ReplayReport? {
    guard app.welcome.verifies else { return nil }
    let log = timeline.log
    try log.waitForIndex()
    let range = (options.range ?? 0..<log.count).clamped(to: 0..<log.count)
    let request = try VerifyRequest(of: log, options) { try progress(0, range.count) }
    guard let request else { return nil }
    var begun = 0
    var report = try HostConnection(app).passingReport(request, on: log, limit: limits.call) { _ in
      try progress(begun, range.count)
      begun += 1
    }
    // The app may have recorded further, or closed the log: the end is that of this file.
    if report?.isClosed == true, range.upperBound == log.count { report?.noteEnd(of: log) }
    return report
  }
}
