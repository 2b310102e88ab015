import FluxInspector
import FluxLog

/// A key, as the screen understands it.
package enum BrowseKey: Equatable, Sendable {
  case up, down, left, right
  case home, end, pageUp, pageDown
  case tab, backTab
  case enter, escape, backspace
  /// Ctrl-C or Ctrl-D.
  case interrupt
  case character(Character)
}

extension BrowseState {
  /// The columns of one key that scrolls sideways.
  private static let columnsPerKey = 8
  /// The longest text that can be typed; nobody types more than fits on a few screens.
  private static let longestInput = 1000

  /// Processes a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - tree: The state in its pane.
  /// - Returns: The effect that it asks for, if any.
  mutating func press(_ key: BrowseKey, in tree: StateTree) -> BrowseEffect? {
    message = nil
    switch mode {
    case .help: return pressInHelp(key)
    case .search(let text):
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
    let page = layout.whole.rows
    switch key {
    case .up: helpTop -= 1
    case .down: helpTop += 1
    case .pageUp: helpTop -= page
    case .pageDown: helpTop += page
    case .home: helpTop = 0
    case .end: helpTop = BrowseKeys.all.count
    default: mode = .panes
    }
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
    case .character("?"): mode = .help
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
    switch pane {
    case .steps: return pressInSteps(key)
    case .changes: scroll(key)
    case .state: pressInState(key, tree)
    }
    return nil
  }

  private mutating func pressInSteps(_ key: BrowseKey) -> BrowseEffect? {
    let page = UInt64(max(1, height(of: .steps) - 1))
    switch key {
    case .up, .character("k"): return .step(1, .backwards)
    case .down, .character("j"): return .step(1, .forwards)
    case .left, .character("h"): return .root(.backwards)
    case .right, .character("l"): return .root(.forwards)
    case .pageUp: return .step(page, .backwards)
    case .pageDown, .character(" "): return .step(page, .forwards)
    case .home, .character("g"): return .toStart
    case .end, .character("G"): return .toEnd
    case .enter: pane = .changes
    default: break
    }
    return nil
  }

  private mutating func scroll(_ key: BrowseKey) {
    let page = max(1, height(of: .changes) - 1)
    switch key {
    case .up, .character("k"): changesTop -= 1
    case .down, .character("j"): changesTop += 1
    case .left, .character("h"): changesColumn = max(0, changesColumn - Self.columnsPerKey)
    case .right, .character("l"): changesColumn += Self.columnsPerKey
    case .pageUp: changesTop -= page
    case .pageDown, .character(" "): changesTop += page
    case .home, .character("g"): (changesTop, changesColumn) = (0, 0)
    case .end, .character("G"): changesTop = .max / 2
    default: break
    }
  }

  private mutating func pressInState(_ key: BrowseKey, _ tree: StateTree) {
    let page = max(1, height(of: .state) - 1)
    let row = tree.rows.indices.contains(stateRow) ? tree.rows[stateRow] : nil
    switch key {
    case .up, .character("k"): stateRow -= 1
    case .down, .character("j"): stateRow += 1
    case .pageUp: stateRow -= page
    case .pageDown: stateRow += page
    case .home, .character("g"): stateRow = 0
    case .end, .character("G"): stateRow = .max / 2
    case .right, .character("l"): if let row, row.fold == .closed { folds[row.path] = true }
    case .left, .character("h"):
      if let row, row.fold == .open {
        folds[row.path] = false
      } else if row != nil {
        stateRow = tree.parent(of: stateRow) ?? stateRow
      }
    case .enter, .character(" "):
      if let row, row.fold != .leaf { folds[row.path] = row.fold == .closed }
    default: break
    }
  }
}
