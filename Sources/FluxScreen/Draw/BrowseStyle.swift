import FluxCommands
import FluxTerminal

/// The looks of the parts of the screen; without colors, signs alone tell them apart.
struct BrowseStyle: Sendable, Equatable {
  /// The colors of the screen; nil if it has none.
  let colors: TerminalColors?
  let lines = BoxLines.available

  init(_ colors: TerminalColors?) {
    self.colors = colors
  }

  var usesColor: Bool { colors != nil }

  /// The look of a text.
  func callAsFunction(_ role: TextRole) -> CellStyle {
    switch colors {
    case nil: .plain
    // The theme of the terminal decides how legible they are.
    case .sixteen:
      switch role {
      case .plain: .plain
      case .heading: CellStyle(isBold: true)
      case .number, .count, .changed: CellStyle(.yellow)
      case .action: CellStyle(.cyan)
      case .path: CellStyle(.magenta)
      case .added: CellStyle(.green)
      case .removed: CellStyle(.red)
      case .dim: CellStyle(isDim: true)
      case .error: CellStyle(.red, isBold: true)
      }
    // Shades that have a contrast of at least 4 to 1 both to black and to white.
    case .indexed:
      switch role {
      case .plain: .plain
      case .heading: CellStyle(isBold: true)
      // In the order of the colors above: brown, teal, slate blue, green, crimson and gray.
      case .number, .count, .changed: CellStyle(.indexed(130))
      case .action: CellStyle(.indexed(30))
      case .path: CellStyle(.indexed(62))
      case .added: CellStyle(.indexed(28))
      case .removed: CellStyle(.indexed(161))
      case .dim: CellStyle(.indexed(243))
      case .error: CellStyle(.indexed(161), isBold: true)
      }
    }
  }

  /// The look of the row that has the keys.
  var selected: CellStyle { usesColor ? .reversed : .plain }

  func span(_ text: String, _ role: TextRole = .plain) -> StyledSpan {
    StyledSpan(text, self(role))
  }

  /// A text whose occurrences of another text are underlined, in upper or lower case.
  func spans(_ text: String, _ role: TextRole = .plain, highlighting needle: String?)
    -> [StyledSpan]
  {
    guard usesColor, let needle, !needle.isEmpty else { return [span(text, role)] }
    let folded = text.map { $0.lowercased() }
    let wanted = needle.map { $0.lowercased() }
    var found = self(role)
    (found.isBold, found.isUnderlined) = (true, true)
    var spans: [StyledSpan] = []
    var (rest, place) = (text[...], 0)
    while place + wanted.count <= folded.count {
      let start = (place...folded.count - wanted.count).first {
        folded[$0..<$0 + wanted.count].elementsEqual(wanted)
      }
      guard let start else { break }
      spans.append(span(String(rest.prefix(start - place)), role))
      spans.append(StyledSpan(String(rest.dropFirst(start - place).prefix(wanted.count)), found))
      rest = rest.dropFirst(start - place + wanted.count)
      place = start + wanted.count
    }
    return spans + [span(String(rest), role)]
  }
}

/// The characters of the lines between the panes.
struct BoxLines: Sendable, Equatable {
  let horizontal: String
  let vertical: String
  /// The beginning of the vertical line, and the place from which a horizontal one goes to the right.
  let top: String
  let right: String

  static let box = BoxLines(horizontal: "─", vertical: "│", top: "┬", right: "├")
  static let ascii = BoxLines(horizontal: "-", vertical: "|", top: "+", right: "+")

  /// The lines that the locale can show.
  static var available: BoxLines { ColumnWidth.isShown("─") ? box : ascii }
}
