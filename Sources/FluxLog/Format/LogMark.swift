/// A note that the app made between two steps.
///
/// See docs/log-format.md, "Other lines".
public struct LogMark: Sendable, Equatable {
  /// The text of the note.
  public var text: String
  /// When the app made the note.
  public var time: LogTime

  /// Makes a mark.
  public init(text: String, time: LogTime) {
    self.text = text
    self.time = time
  }
}
