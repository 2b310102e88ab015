/// The look of a cell of the screen: the sixteen colors of every terminal, so its theme decides.
package struct CellStyle: Hashable, Sendable {
  /// A color; the raw value is that of ECMA-48, SGR.
  package enum Color: Int, Sendable {
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
    case cyan = 36
  }

  /// The look of text that is nothing in particular.
  package static let plain = CellStyle()
  /// Light on dark becomes dark on light.
  package static let reversed = CellStyle(isReversed: true)

  package var color: Color?
  package var isBold: Bool
  package var isDim: Bool
  package var isReversed: Bool

  package init(
    _ color: Color? = nil, isBold: Bool = false, isDim: Bool = false, isReversed: Bool = false
  ) {
    (self.color, self.isBold, self.isDim, self.isReversed) = (color, isBold, isDim, isReversed)
  }

  /// The sequence that switches to this style from any other.
  var sequence: String {
    let codes =
      [0] + (isBold ? [1] : []) + (isDim ? [2] : []) + (isReversed ? [7] : [])
      + (color.map { [$0.rawValue] } ?? [])
    return "\u{1B}[\(codes.map(String.init).joined(separator: ";"))m"
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
