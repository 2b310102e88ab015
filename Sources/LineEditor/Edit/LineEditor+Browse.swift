internal import CLibEdit

extension LineEditor {
  /// What happens while keys are read one by one.
  package enum BrowseEvent: Equatable, Sendable {
    case key(Key)
    /// The screen has another size, or was used by others: draw anew.
    case redraw
    /// Nothing happened for as long as was asked for.
    case elapsed
  }

  /// Reads keys one by one, until the closure has enough or the input ends.
  ///
  /// The terminal echoes nothing meanwhile; its mode is restored at the end. Ctrl-C is the key
  /// control-c.
  ///
  /// - Parameters:
  ///   - milliseconds: how long to wait for a key before saying ``BrowseEvent/elapsed``; nil waits.
  ///   - handle: takes an event; false ends.
  package func browse(milliseconds: Int32? = nil, _ handle: (BrowseEvent) -> Bool) {
    input.forgetInterrupts()
    libedit.setRaw(true)
    TerminalMode.keys.enter()
    defer {
      TerminalMode.leave()
      libedit.setRaw(false)
    }
    while let event = nextBrowseEvent(milliseconds), handle(event) {}
  }

  private func nextBrowseEvent(_ milliseconds: Int32?) -> BrowseEvent? {
    while true {
      switch input.next(milliseconds: milliseconds) {
      case .press(let press): return .key(press.key)
      case .interrupted: return .key(.control("c"))
      case .resized, .resumed: return .redraw
      case .elapsed: return .elapsed
      // Text for above the line waits for the next line, and pasted text is no key.
      case .woken, .paste: continue
      case .ended: return nil
      }
    }
  }
}
