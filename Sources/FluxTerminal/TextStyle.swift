/// The style of a text on a terminal.
package struct TextStyle: Hashable, Sendable {
  /// The eight colours that every terminal has, in the order of their numbers.
  package enum Color: Int, Sendable {
    case black, red, green, yellow, blue, magenta, cyan, white
  }

  /// The colour; nil for the terminal's default.
  package var color: Color?
  package var isBold: Bool
  package var isDim: Bool

  /// Creates a style.
  package init(color: Color? = nil, bold: Bool = false, dim: Bool = false) {
    self.color = color
    isBold = bold
    isDim = dim
  }

  /// The terminal's default style.
  package static let plain = TextStyle()

  /// Wraps a text in this style; plain style follows it.
  package func apply(to text: String) -> String {
    self == .plain ? text : sequence + text + TextStyle.plain.sequence
  }

  /// The sequence that switches to this style from any other (ECMA-48, SGR).
  package var sequence: String {
    var parameters = [0]
    if isBold { parameters.append(1) }
    if isDim { parameters.append(2) }
    if let color { parameters.append(30 + color.rawValue) }
    return "\u{1B}[" + parameters.map(String.init).joined(separator: ";") + "m"
  }
}

/// The user's choice of coloured output.
package enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never

  /// Decides if output to a stream is coloured.
  ///
  /// `always` and `never` decide at once. For `auto`, the first match decides: `NO_COLOR` (if not empty,
  /// no-color.org), `CLICOLOR_FORCE` (unless empty or 0), `CLICOLOR=0`. Otherwise output is coloured if the
  /// stream is a terminal and not a dumb one.
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
