import FluxLog
import FluxTerminal

extension BrowseState {
  /// Gives the keys to the pane under the mouse, and selects the row there.
  ///
  /// A click on the selected value folds or unfolds it.
  mutating func click(_ place: Frame.Place, _ tree: StateTree) -> BrowseEffect? {
    guard let clicked = layout.pane(at: place, focus: pane) else { return nil }
    let hadKeys = pane == clicked
    let area = layout.body(of: clicked, focus: pane)
    pane = clicked
    guard area.contains(place) else { return nil }
    let row = place.row - area.row
    switch clicked {
    case .steps: return .show(row: listTop + row)
    case .changes: break
    case .state:
      guard tree.rows.indices.contains(stateTop + row) else { return nil }
      let value = tree.rows[stateTop + row]
      if hadKeys, stateRow == stateTop + row, value.fold != .leaf {
        folds[BytewiseName(value.path)] = value.fold == .closed
      }
      stateRow = stateTop + row
    }
    return nil
  }

  /// Scrolls the pane under the mouse, which need not have the keys.
  mutating func turn(_ direction: SearchDirection, _ place: Frame.Place) -> BrowseEffect? {
    let rows = direction == .forwards ? Self.rowsPerNotch : -Self.rowsPerNotch
    switch layout.pane(at: place, focus: pane) {
    case .steps?: return .step(UInt64(Self.rowsPerNotch), direction)
    case .changes?: changesTop += rows
    case .state?: stateRow += rows
    case nil: break
    }
    return nil
  }
}
