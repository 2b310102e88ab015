import SystemPackage

/// The user's own files, in the places of the XDG base directory specification.
struct UserFolders {
  private let environment: [String: String]

  init(_ environment: [String: String]) {
    self.environment = environment
  }

  /// Commands that are run at every start.
  var initFile: String { folder("XDG_CONFIG_HOME", ".config") + "/flux-inspect/init" }

  /// The lines that were typed.
  var history: String { folder("XDG_STATE_HOME", ".local/state") + "/flux-inspect/history" }

  /// The specification has relative paths ignored.
  private func folder(_ variable: String, _ standard: String) -> String {
    if let folder = environment[variable], folder.hasPrefix("/") { return folder }
    return (environment["HOME"] ?? "") + "/" + standard
  }
}
