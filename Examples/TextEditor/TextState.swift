public import FluxCore

/// The state of a text editor.
public struct TextState: StateValue {
  /// A place in a text: a line and a column in Unicode scalars, both counted from 0.
  public struct Cursor: StateValue {
    /// The line.
    public internal(set) var line = 0
    /// The column, from 0 to the length of the line.
    public internal(set) var column = 0
  }

  /// The lines without their line breaks; an empty text is one line.
  public internal(set) var lines = [""]
  /// The place where the next character is inserted.
  public internal(set) var cursor = Cursor()
  /// The edits that undo applies, the latest last; at most ``TextStore/undoLimit``.
  public internal(set) var undo: [[TextEdit]] = []
  /// The edits that redo applies, the next one last.
  public internal(set) var redo: [[TextEdit]] = []

  /// Creates an empty text.
  public init() {}

  /// The text as one string.
  public var text: String { lines.joined(separator: "\n") }
}
