import FluxSystem

/// The user's own files, in the places of the XDG base directory specification.
///
/// A path is nil if neither the variable of the specification nor `HOME` names a folder.
package struct UserFolders {
  private let environment: [String: String]

  package init(_ environment: [String: String]) { self.environment = environment }

  /// Commands that are run at every start.
  package var initFile: String? { folder("XDG_CONFIG_HOME", ".config").map { $0 + "/init" } }

  /// The lines that were typed.
  package var history: String? { state.map { $0 + "/history" } }

  /// The folder of files that remember something between sessions.
  package var state: String? { folder("XDG_STATE_HOME", ".local/state") }

  /// The folder of the marks of trusted project files.
  package var trusted: String? { state.map { $0 + "/trusted" } }

  private func folder(_ variable: String, _ standard: String) -> String? {
    let base = environment.baseFolder(variable)
    return (base ?? environment.baseFolder("HOME").map { "\($0)/\(standard)" })
      .map { $0 + "/flux-inspect" }
  }
}
