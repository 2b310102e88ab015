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
