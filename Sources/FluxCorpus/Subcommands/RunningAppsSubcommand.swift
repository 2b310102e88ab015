import FluxCommands
import FluxInspector

/// The apps that an inspector can attach to: `{"apps"}`.
package struct RunningAppList: CommandResult {
  /// An app: `{"name"?,"version"?,"process"?,"transport","parts","log"?,"id","problem"?,"allows"}`.
  package struct App: Sendable, Encodable {
    package let name: String?
    package let version: String?
    /// The number of its process.
    package let process: UInt64?
    /// The way to reach it: `unix`.
    package let transport: String
    /// The parts of the protocol that it serves, such as `live` and `replay`.
    package let parts: [String]
    /// The file that it records.
    package let log: String?
    /// The number to attach to: of its process, or of its second socket, as in `4242.2`.
    package let id: String
    /// The reason why there is none, or no more of it.
    package let problem: String?
    package let allows: [String]

    package init(
      id: String, name: String?, version: String?, process: UInt64?, transport: String,
      parts: [String], log: String?, problem: String?, allows: [String]
    ) {
      (self.id, self.name, self.version) = (id, name, version)
      (self.process, self.transport, self.parts) = (process, transport, parts)
      (self.log, self.problem, self.allows) = (log, problem, allows)
    }
  }

  package let apps: [App]
}

extension Subcommand {
  /// `attach --list`: the apps that run, and the reasons why sockets could not be used.
  package static func runningApps(
    _ apps: [RunningAppList.App], problems: [String]
  ) -> Subcommand {
    Subcommand { _, output in
      for problem in problems { try output.note(problem) }
      if apps.isEmpty {
        // A stopped app runs, too.
        try output.note(
          problems.isEmpty
            ? "no running app to attach to" : "none of the running apps can be attached to")
      }
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
}
