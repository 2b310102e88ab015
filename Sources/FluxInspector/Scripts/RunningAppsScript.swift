/// The apps that an inspector can attach to: `{"apps"}`.
package struct RunningAppList: CommandResult {
  /// An app: `{"id","name"?,"version"?,"log"?,"problem"?,"allows"}`.
  package struct App: Sendable, Encodable {
    /// The number of its process, or that of its second socket: `4242.2`.
    package let id: String
    package let name: String?
    package let version: String?
    /// The file that it records.
    package let log: String?
    /// The reason why there is none, or no more of it.
    package let problem: String?
    package let allows: [String]

    package init(
      id: String, name: String?, version: String?, log: String?, problem: String?, allows: [String]
    ) {
      (self.id, self.name, self.version) = (id, name, version)
      (self.log, self.problem, self.allows) = (log, problem, allows)
    }
  }

  package let apps: [App]
}

/// `attach --list`: the apps that run.
package struct RunningAppsScript: Script {
  private let apps: [RunningAppList.App]
  /// The sockets that could not be used, with the reasons.
  private let problems: [String]

  package init(_ apps: [RunningAppList.App], problems: [String]) {
    (self.apps, self.problems) = (apps, problems)
  }

  package func perform(with services: Services, to output: inout ScriptOutput) throws -> Int32 {
    for problem in problems { try output.note(problem) }
    if apps.isEmpty { try output.note("no running app to attach to") }
    return try output.write(
      Reply(RunningAppList(apps: apps)) { list, text in
        for app in list.apps {
          text.write(app.id, .number)
          text.write(" \(app.name ?? "(without a name)")", .heading)
          if let version = app.version { text.write(" \(version)") }
          try text.line("  \(app.log ?? app.problem ?? "")", .dim)
        }
      })
  }
}
