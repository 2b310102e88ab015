public import FluxCore

/// What can happen to a text in an editor.
public enum TextAction: Action, Equatable {
  /// Replaces, one after the other: each edit finds the text as the one before it left it.
  case edit(patches: [TextEdit])
  /// Puts the cursor somewhere, counted in Unicode scalars from the beginning of the text.
  case move(to: Int)
  case undo
  case redo
}
