import FluxHost
import FluxInspector
import FluxReplay
import FluxSystem

extension LiveConnection {
  /// Attaches to the running app of a name, or to the only one.
  ///
  /// - Parameters:
  ///   - name: The name of the app, the number of its process, or that of its socket; nil for the only app.
  ///   - isCancelled: Called a few times a second; `true` interrupts a request.
  /// - Returns: The connection.
  /// - Throws: ``CommandError`` if there is no such app, or more than one.
  static func attached(
    to name: String?, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(CommandError) -> LiveConnection {
    let apps = RunningApps(isCancelled: isCancelled)
    let found = name.map { apps.matching($0) } ?? apps.all
    if found.count == 1 { return found[0] }
    if isCancelled() { throw CommandError(.cancelled, "interrupted") }
    let problems = apps.problems.map { "; \($0)" }.joined()
    guard found.isEmpty else {
      throw CommandError(
        .usage,
        "\(found.count) running apps\(name.map { " named \($0)" } ?? ""): \(Self.list(found))",
        hint: "name one by its number: flux-inspect attach \(found[0].id)")
    }
    guard let name, !apps.all.isEmpty else {
      throw CommandError(
        .notFound, "no running app to attach to\(problems)",
        hint: "start an app that has an AppHost, as the same user; see docs/live.md")
    }
    throw CommandError(
      .notFound, "no running app is named \(name); running: \(Self.list(apps.all))\(problems)")
  }

  private static func list(_ apps: [LiveConnection]) -> String {
    apps.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
  }

  /// The log that the app records.
  ///
  /// - Throws: ``CommandError`` if it records none.
  func log() throws(CommandError) -> String {
    if let log = welcome.log { return log }
    throw CommandError(
      .file, "\(name) has no log to follow: \(welcome.problem ?? "it records nothing")",
      hint: "a recorder with a file has one")
  }

  /// The app as a row of a list.
  var running: RunningAppList.App {
    RunningAppList.App(
      id: id, name: welcome.app.name, version: welcome.app.version, log: welcome.log,
      problem: welcome.problem, allows: welcome.allows)
  }
}
