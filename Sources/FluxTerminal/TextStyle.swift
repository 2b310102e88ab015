/// The style of a text on a terminal.
package struct TextStyle: Hashable, Sendable {
  /// The eight colours that every terminal has, in the order of their numbers.
  package enum Color: Int, Sendable {
    case black, red, green, yellow, blue, magenta, cyan, white
  }

  package var color: Color?
  package var isBold: Bool
  package var isDim: Bool

  package init(color: Color? = nil, bold: Bool = false, dim: Bool = false) {
    self.color = color
    isBold = bold
    isDim = dim
  }

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
