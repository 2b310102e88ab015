import FluxInspector
package import FluxLog
package import FluxTerminal

/// A key or an event of the mouse, as the screen understands it.
package enum BrowseKey: Equatable, Sendable {
  case up, down, left, right
  case home, end, pageUp, pageDown
  case tab, backTab
  case enter, escape, backspace
  /// Ctrl-C.
  case interrupt
  case character(Character)
  /// Control with a letter.
  case control(Character)
  /// The left button of the mouse.
  case click(Frame.Place)
  case wheel(SearchDirection, Frame.Place)
}

extension BrowseState {
  /// The columns of one key that scrolls sideways.
  private static let columnsPerKey = 8
  /// The rows of one notch of the wheel.
  static let rowsPerNotch = 3
  /// The longest text that can be typed; nobody types more than fits on a few screens.
  private static let longestInput = 1000

  /// Processes a key, with the state in its pane; returns the effect that it asks for, if any.
  mutating func press(_ key: BrowseKey, in tree: StateTree) -> BrowseEffect? {
    message = nil
    switch mode {
    case .help: return pressInHelp(key)
    case .search(let text):
      preview = .nothing
      guard let typed = type(key, behind: text, { .search($0) }) else { return nil }
      if !typed.isEmpty { search = typed }
      return search.map { .find($0, .forwards) }
    case .position(let text):
      guard let typed = type(key, behind: text, { .position($0) }), !typed.isEmpty else {
        return nil
      }
      return .go(typed)
    case .panes: return pressAnywhere(key) ?? pressInPane(key, tree)
    }
  }

  private mutating func pressInHelp(_ key: BrowseKey) -> BrowseEffect? {
    guard let scroll = Scroll(key, page: layout.whole.rows) else {
      if case .wheel(let direction, _) = key {
        helpTop += direction == .forwards ? Self.rowsPerNotch : -Self.rowsPerNotch
      } else {
        mode = .panes
      }
      return nil
    }
    helpTop = scroll.moved(helpTop)
    return nil
  }

  /// Changes the text in the last row; returns it once it is entered.
  private mutating func type(
    _ key: BrowseKey, behind text: String, _ mode: (String) -> Mode
  ) -> String? {
    switch key {
    case .character(let character):
      if text.count < Self.longestInput { self.mode = mode(text + String(character)) }
    case .backspace: self.mode = text.isEmpty ? .panes : mode(String(text.dropLast()))
    case .control("u"): self.mode = mode("")
    case .escape, .interrupt: self.mode = .panes
    case .enter:
      self.mode = .panes
      return text
    default: break
    }
    return nil
  }

  /// Processes the keys that mean the same in every pane.
  private mutating func pressAnywhere(_ key: BrowseKey) -> BrowseEffect? {
    switch key {
    case .interrupt, .character("q"): return .leave
    case .tab: pane = pane.next(by: 1)
    case .backTab: pane = pane.next(by: -1)
    case .escape: search = nil
    case .character("1"): pane = .steps
    case .character("2"): pane = .changes
    case .character("3"): pane = .state
    case .character("z"): isZoomed.toggle()
    case .character("?"): (mode, helpTop) = (.help, 0)
    case .character("/"): mode = .search("")
    case .character(":"): mode = .position("")
    case .character("n"): return search.map { .find($0, .forwards) } ?? .run(.forwards)
    case .character("N"): return search.map { .find($0, .backwards) } ?? .run(.backwards)
    case .character("c"): return .run(.forwards)
    case .character("C"): return .run(.backwards)
    case .character("b"): return .toggleBreakpoint
    case .character("["): return .step(1, .backwards)
    case .character("]"): return .step(1, .forwards)
    case .character("d"):
      form = form == .changes ? .patch : form == .patch ? .counts : .changes
      (changesTop, changesColumn) = (0, 0)
    default: return nil
    }
    return nil
  }

  private mutating func pressInPane(_ key: BrowseKey, _ tree: StateTree) -> BrowseEffect? {
    switch key {
    case .click(let place): return click(place, tree)
    case .wheel(let direction, let place): return turn(direction, place)
    default: break
    }
    switch pane {
    case .steps: return pressInSteps(key)
    case .changes: pressInChanges(key)
    case .state: pressInState(key, tree)
    }
    return nil
  }

  private mutating func pressInSteps(_ key: BrowseKey) -> BrowseEffect? {
    switch key {
    case .left, .character("h"): return .root(.backwards)
    case .right, .character("l"): return .root(.forwards)
    case .enter: pane = .changes
    default:
      switch Scroll(key, page: height(of: .steps) - 1) {
      case .by(let rows)?:
        return .step(UInt64(rows.magnitude), rows < 0 ? .backwards : .forwards)
      case .toStart?: return .toStart
      case .toEnd?: return .toEnd
      case nil: break
      }
    }
    return nil
  }

  private mutating func pressInChanges(_ key: BrowseKey) {
    switch key {
    case .left, .character("h"): changesColumn = max(0, changesColumn - Self.columnsPerKey)
    case .right, .character("l"): changesColumn += Self.columnsPerKey
    default:
      guard let scroll = Scroll(key, page: height(of: .changes) - 1) else { return }
      changesTop = scroll.moved(changesTop)
      if scroll == .toStart { changesColumn = 0 }
    }
  }

  private mutating func pressInState(_ key: BrowseKey, _ tree: StateTree) {
    let row = tree.rows.indices.contains(stateRow) ? tree.rows[stateRow] : nil
    switch key {
    case .right, .character("l"):
      if let row, row.fold == .closed { folds[BytewiseName(row.path)] = true }
    case .left, .character("h"):
      if let row, row.fold == .open {
        folds[BytewiseName(row.path)] = false
      } else if row != nil {
        stateRow = tree.parent(of: stateRow) ?? stateRow
      }
    case .enter, .character(" "):
      if let row, row.fold != .leaf { folds[BytewiseName(row.path)] = row.fold == .closed }
    default:
      guard let scroll = Scroll(key, page: height(of: .state) - 1) else { return }
      stateRow = scroll.moved(stateRow)
    }
  }
}
