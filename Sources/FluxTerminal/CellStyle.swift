/// The look of text on a terminal.
package struct CellStyle: Hashable, Sendable {
  /// A color of text.
  package enum Color: Hashable, Sendable {
    /// Colors that every terminal has; its theme chooses the shades.
    case red, green, yellow, magenta, cyan
    /// A color of xterm's table of 256, whose shades do not depend on the theme.
    case indexed(UInt8)

    /// The parameters of the sequence that chooses the color (ECMA-48, SGR; xterm).
    var parameters: String {
      switch self {
      case .red: "31"
      case .green: "32"
      case .yellow: "33"
      case .magenta: "35"
      case .cyan: "36"
      case .indexed(let index): "38;5;\(index)"
      }
    }
  }

  /// The look of text that is nothing in particular.
  package static let plain = CellStyle()
  /// Light on dark becomes dark on light.
  package static let reversed = CellStyle(isReversed: true)

  package var color: Color?
  package var isBold: Bool
  package var isDim: Bool
  package var isUnderlined: Bool
  package var isReversed: Bool

  package init(
    _ color: Color? = nil, isBold: Bool = false, isDim: Bool = false, isUnderlined: Bool = false,
    isReversed: Bool = false
  ) {
    (self.color, self.isBold, self.isDim) = (color, isBold, isDim)
    (self.isUnderlined, self.isReversed) = (isUnderlined, isReversed)
  }

  /// The sequence that switches to this style from any other.
  package var sequence: String {
    let attributes = [(isBold, "1"), (isDim, "2"), (isUnderlined, "4"), (isReversed, "7")]
    let codes =
      ["0"] + attributes.filter(\.0).map(\.1) + (color.map { [$0.parameters] } ?? [])
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }
}

/// A piece of text in one style.
package struct StyledSpan: Equatable, Sendable {
  package var text: String
  package var style: CellStyle

  package init(_ text: String, _ style: CellStyle = .plain) {
    (self.text, self.style) = (text, style)
  }
}
