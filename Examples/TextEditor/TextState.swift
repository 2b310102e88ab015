public import FluxCore

/// A text in an editor.
public struct TextState: StateValue {
  /// A place in a text, counted from 0, and in Unicode scalars within its line.
  public struct Cursor: StateValue {
    /// The line.
    public internal(set) var line = 0
    /// The column, from 0 to the length of the line.
    public internal(set) var column = 0
  }

  /// The lines, without their ends; a text without any line break is one line.
  public internal(set) var lines = [""]
  /// Where the next character would go.
  public internal(set) var cursor = Cursor()
  /// What leads back, the latest last; the oldest are forgotten after ``TextStore/undoLimit``.
  public internal(set) var undo: [[TextEdit]] = []
  /// What leads forward again, the next last.
  public internal(set) var redo: [[TextEdit]] = []

  /// Creates an empty text.
  public init() {}

  /// The text as one string.
  public var text: String { lines.joined(separator: "\n") }
}
