public import FluxCore

/// A text editor.
public struct TextStore: Store {
  /// The maximum number of changes to undo.
  public static let undoLimit = 50

  /// An empty text.
  public let initialState = TextState()

  /// Creates the store.
  public init() {}

  /// Handles edits, cursor moves, undo and redo.
  public func reduce(_ state: inout TextState, _ action: TextAction, _ step: inout Step) throws {
    switch action {
    case .edit(let edits):
      state.undo.append(try state.make(edits))
      state.undo.removeFirst(max(0, state.undo.count - Self.undoLimit))
      state.redo = []
    case .move(let offset):
      guard let cursor = state.position(of: offset) else {
        throw Rejection("the text has no position \(offset)")
      }
      state.cursor = cursor
    case .undo:
      guard let edits = state.undo.popLast() else { throw Rejection("there is nothing to undo") }
      state.redo.append(try state.make(edits))
    case .redo:
      guard let edits = state.redo.popLast() else { throw Rejection("there is nothing to redo") }
      state.undo.append(try state.make(edits))
    }
  }
}
