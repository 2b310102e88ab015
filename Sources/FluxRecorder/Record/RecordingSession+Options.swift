import FluxCore
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
    /// The values that stay constant while the app runs, such as feature flags and the locale, by name.
    public var circumstances: [String: any Encodable & Sendable] = [:]
    /// Returns `true` for steps to leave out of the log, given the action's type; nil to leave out
    /// none.
    ///
    /// An example of a type is `todo/add`. The next written step contains the changes to the
    /// states, after a gap.
    public var shouldSkip: (@Sendable (String) -> Bool)?
    /// The values that are never written; see ``Redaction``.
    public var redaction = Redaction()
    /// The limits for the logs of all launches; see
    /// ``RecordingSession/init(in:name:states:options:seed:logger:now:)``.
    public var launchLimits: [LaunchLimit] = .standard
    /// `true` to record the source line that recorded each step, as `Module/File.swift:line`.
    ///
    /// The default is `true` in debug builds, and `false` in release builds. A debugger of recordings goes to
    /// these lines.
    public var recordsSource = CallSite.isRecordedByDefault
    /// `true` to record the duration of each step.
    ///
    /// It is the time from ``RecordingSession/begin(_:target:cause:effect:file:line:)`` to the
    /// step's end.
    public var recordsDuration = false
    /// `true` if you pass the effects of every step that asks for some.
    ///
    /// The header then says so, and a step without effects asked for none. Otherwise the effects of
    /// such a step are unknown.
    public var recordsEffects = false

    /// Creates the default options.
    public init() {}
  }
}
