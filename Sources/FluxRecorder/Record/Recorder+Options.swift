public import FluxCore
public import FluxLog

extension Recorder {
  /// How a recorder records.
  public struct Options: Sendable {
    /// How the log is written: durability, adaptive or full states, what happens where the disk is slower
    /// than the app, how much a flight recorder keeps.
    ///
    /// Its `rewriter` and `onFailure` are the recorder's own.
    public var log = LogWriter.Options()
    /// The app, as the header names it.
    public var app: LogHeader.App?
    /// Says which steps are left out, by their envelopes; nil for none.
    ///
    /// Their effects on the states are in the next step that is written, behind a gap.
    public var leavesOut: (@Sendable (Envelope) -> Bool)?
    /// What is never written: see ``Redaction``.
    public var redaction = Redaction()
    /// Whether steps are written with the place in the source where they were dispatched.
    public var notesSource = false
    /// Whether steps are written with the time that their reducers took.
    public var notesDuration = false

    /// The usual options.
    public init() {}
  }
}
