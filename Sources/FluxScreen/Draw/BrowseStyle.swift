import FluxInspector
import FluxTerminal

/// The looks of the parts of the screen; without colors, signs alone tell them apart.
struct BrowseStyle: Sendable, Equatable {
  let usesColor: Bool

  /// The look of a text: the same as on a page of the session.
  func callAsFunction(_ role: TextRole) -> CellStyle {
    guard usesColor else { return .plain }
    return switch role {
    case .plain: .plain
    case .heading: CellStyle(isBold: true)
    case .number, .count, .changed: CellStyle(.yellow)
    case .action: CellStyle(.cyan)
    case .path: CellStyle(.blue)
    case .added: CellStyle(.green)
    case .removed: CellStyle(.red)
    case .dim: CellStyle(isDim: true)
    case .error: CellStyle(.red, isBold: true)
    }
  }

  /// The look of the row that has the keys.
  var selected: CellStyle { usesColor ? .reversed : .plain }

  func span(_ text: String, _ role: TextRole = .plain) -> StyledSpan {
    StyledSpan(text, self(role))
  }
}
