/// A note that the app made between two steps.
///
/// LOG-FORMAT, "Other lines".
public struct LogMark: Sendable, Equatable {
  /// What the app says.
  public var text: String
  /// When it said so.
  public var time: LogTime

  /// Makes a mark.
  public init(text: String, time: LogTime) {
    self.text = text
    self.time = time
  }
}
