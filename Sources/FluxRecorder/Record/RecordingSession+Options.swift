public import FluxLog

extension RecordingSession {
  /// How a session records.
  public struct Options: Sendable {
    /// How the log is written: durability, adaptive or full states, what happens where the disk is slower
    /// than the app, how much a flight recorder keeps.
    ///
    /// Its `rewriter` and `onFailure` are the session's own.
    public var log = LogWriter.Options()
    /// The app, as the header names it.
    public var app: LogHeader.App?
    /// Says which steps are left out, by the types of their actions, such as `todo/add`; nil for none.
    ///
    /// Their effects on the states are in the next step that is written, behind a gap.
    public var leavesOut: (@Sendable (String) -> Bool)?
    /// What is never written: see ``Redaction``.
    public var redaction = Redaction()
    /// Whether steps are written with the place in the source where they were recorded.
    public var notesSource = false
    /// Whether steps are written with the time between ``RecordingSession/begin(_:target:cause:effect:file:line:)``
    /// and the step's end.
    public var notesDuration = false

    /// The usual options.
    public init() {}
  }
}
