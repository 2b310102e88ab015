public import FluxCore
public import FluxLog

extension Recorder {
  /// The options of a recorder.
  public struct Options: Sendable {
    /// The options of the log writer.
    ///
    /// They include durability, adaptive or full states, the behavior when the disk is slower than
    /// the app, and the size of a flight recorder. The recorder sets `rewriter` and `onFailure`
    /// itself.
    public var log = LogWriter.Options()
    /// The app's description in the log header.
    public var app: LogHeader.App?
    /// Returns `true` for steps to leave out of the log; nil to leave out none.
    ///
    /// The next written step contains their changes to the states, after a gap.
    public var shouldSkip: (@Sendable (Envelope) -> Bool)?
    /// The values that are never written; see ``Redaction``.
    public var redaction = Redaction()
    /// `true` to record the source location that dispatched each step.
    public var recordsSource = false
    /// `true` to record the time that the reducers of each step took.
    public var recordsDuration = false

    /// Creates the default options.
    public init() {}
  }
}
