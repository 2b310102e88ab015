public import FluxCore

/// The actions of a text editor.
public enum TextAction: Action, Equatable {
  /// Applies edits in order, each to the result of the previous one.
  case edit(patches: [TextEdit])
  /// Moves the cursor to an offset in Unicode scalars from the beginning of the text.
  case move(to: Int)
  case undo
  case redo
}
