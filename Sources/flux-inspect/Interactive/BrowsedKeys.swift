import FluxInspector
import LineEditor

/// The keys of the terminal, for `browse`.
///
/// Sendable by its use: only commands ask for keys, and they run on the thread of the editor.
final class BrowsedKeys: KeyService, @unchecked Sendable {
  private let editor: LineEditor

  init(_ editor: LineEditor) {
    self.editor = editor
  }

  func next() -> FluxInspector.Key? {
    var pressed: FluxInspector.Key?
    editor.browse { event in
      guard case .key(let key) = event else { return true }
      pressed = FluxInspector.Key(key)
      return false
    }
    return pressed
  }
}

extension FluxInspector.Key {
  /// The key as `browse` knows it; nil for one that ends browsing.
  fileprivate init?(_ key: EditorKey) {
    switch key.name {
    case .left: self = .left
    case .right: self = .right
    case .up: self = .up
    case .down: self = .down
    case .home: self = .home
    case .end: self = .end
    default: return nil
    }
  }
}
