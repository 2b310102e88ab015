/// A way through rows, as the keys of all panes and of the help ask for it.
enum Scroll: Equatable, Sendable {
  case by(Int)
  case toStart
  case toEnd

  /// Reads a key, for pages of this many rows; nil if it does not scroll.
  init?(_ key: BrowseKey, page: Int) {
    let page = max(1, page)
    switch key {
    case .up, .character("k"): self = .by(-1)
    case .down, .character("j"): self = .by(1)
    case .pageUp, .control("b"): self = .by(-page)
    case .pageDown, .control("f"), .character(" "): self = .by(page)
    case .control("u"): self = .by(-max(1, page / 2))
    case .control("d"): self = .by(max(1, page / 2))
    case .home, .character("g"): self = .toStart
    case .end, .character("G"): self = .toEnd
    default: return nil
    }
  }

  /// The row after a move; it may lie outside of the rows.
  func moved(_ row: Int) -> Int {
    switch self {
    case .by(let rows): row + rows
    case .toStart: 0
    case .toEnd: .max / 2
    }
  }
}
