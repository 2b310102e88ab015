/// Whether output is coloured, as the user has chosen it.
package enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never

  /// Whether to colour what goes to a stream.
  ///
  /// What was asked for on the command line decides; then `NO_COLOR` (where it is not empty,
  /// no-color.org), `CLICOLOR_FORCE` (unless empty or 0), `CLICOLOR` (0 is no), and last whether
  /// the stream is a terminal that is not a dumb one.
  package func usesColor(environment: [String: String], isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if let setting = environment["NO_COLOR"], !setting.isEmpty { return false }
    if let setting = environment["CLICOLOR_FORCE"], !setting.isEmpty, setting != "0" { return true }
    if environment["CLICOLOR"] == "0" { return false }
    return isTerminal && TerminalKind(environment: environment) == .full
  }
}

/// What a terminal is able to do, by its name.
package enum TerminalKind: Sendable {
  /// It can only print: no name, or `dumb`.
  case dumb
  /// It can move its cursor.
  case full

  /// Judges by `TERM`.
  package init(environment: [String: String]) {
    switch environment["TERM"] {
    case nil, "", "dumb": self = .dumb
    default: self = .full
    }
  }
}
