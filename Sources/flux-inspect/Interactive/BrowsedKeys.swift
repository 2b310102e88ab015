import FluxInspector
import LineEditor
import ScriptCommands

/// The keys of the terminal, for `browse`.
///
/// Sendable by its use: only commands ask for keys, and they run on the thread of the editor.
final class BrowsedKeys: KeyService, @unchecked Sendable {
  private let editor: LineEditor
  private let printer: Printer

  init(_ editor: LineEditor, _ printer: Printer) {
    self.editor = editor
    self.printer = printer
  }

  func read(_ handle: (FluxInspector.Key) throws -> Void) throws {
    try printer.tell("arrow keys, Home and End walk; q ends")
    var failure: (any Error)?
    editor.browse { event in
      guard case .key(let pressed) = event else { return true }
      guard let key = FluxInspector.Key(pressed) else { return false }
      do {
        try handle(key)
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
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
