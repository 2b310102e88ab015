import FluxSystem

/// The user's own files, in the places of the XDG base directory specification.
package struct UserFolders {
  private let environment: [String: String]

  package init(_ environment: [String: String]) { self.environment = environment }

  /// Commands that are run at every start.
  package var initFile: String { folder("XDG_CONFIG_HOME", ".config") + "/flux-inspect/init" }

  /// The lines that were typed.
  package var history: String { state + "/history" }

  /// The folder of files that remember something between sessions.
  package var state: String { folder("XDG_STATE_HOME", ".local/state") + "/flux-inspect" }

  /// The folder of the marks of trusted project files.
  package var trusted: String { state + "/trusted" }

  private func folder(_ variable: String, _ standard: String) -> String {
    environment.baseFolder(variable) ?? (environment["HOME"] ?? "") + "/" + standard
  }
}
