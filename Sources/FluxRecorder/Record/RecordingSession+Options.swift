public import FluxLog

extension RecordingSession {
  /// The options of a session.
  public struct Options: Sendable {
    /// The options of the log writer.
    ///
    /// They include durability, adaptive or full states, the behavior when the disk is slower than
    /// the app, and the size of a flight recorder. The session sets `rewriter` and `onFailure`
    /// itself.
    public var log = LogWriter.Options()
    /// The app's description in the log header.
    public var app: LogHeader.App?
    /// Returns `true` for steps to leave out of the log, given the action's type; nil to leave out
    /// none.
    ///
    /// An example of a type is `todo/add`. The next written step contains the changes to the
    /// states, after a gap.
    public var shouldSkip: (@Sendable (String) -> Bool)?
    /// The values that are never written; see ``Redaction``.
    public var redaction = Redaction()
    /// `true` to record the source location that recorded each step.
    public var recordsSource = false
    /// `true` to record the duration of each step.
    ///
    /// It is the time from ``RecordingSession/begin(_:target:cause:effect:file:line:)`` to the
    /// step's end.
    public var recordsDuration = false

    /// Creates the default options.
    public init() {}
  }
}
