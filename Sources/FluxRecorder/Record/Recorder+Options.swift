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
    /// The values that stay constant while the app runs, such as feature flags and the locale, by name.
    ///
    /// The header of the log has them. A replay report says if they differ from those that the replayed app
    /// declares.
    public var circumstances: [String: any Encodable & Sendable] = [:]
    /// Returns `true` for steps to leave out of the log; nil to leave out none.
    ///
    /// The next written step contains their changes to the states, after a gap.
    public var shouldSkip: (@Sendable (Envelope) -> Bool)?
    /// The values that are never written; see ``Redaction``.
    public var redaction = Redaction()
    /// The limits for the logs of all launches; see ``Recorder/init(in:name:options:logger:)``.
    ///
    /// A log is deleted if it exceeds one of them. Set `log.retention` to limit each launch on its own,
    /// too.
    public var launchLimits: [LaunchLimit] = .standard
    /// `true` to record the source line that dispatched each step, as `Module/File.swift:line`.
    ///
    /// The default is `true` in debug builds, and `false` in release builds. A debugger of recordings goes to
    /// these lines.
    public var recordsSource = CallSite.isRecordedByDefault
    /// `true` to record the time that the reducers of each step took.
    public var recordsDuration = false

    /// `true` to encode only the changed elements of the arrays in a state.
    ///
    /// An element is encoded again if its value changed, and the text of all other elements is
    /// reused. This is right if each `encode(to:)` depends only on the value. The recorder notices
    /// most types that depend on more, and checks the others by encoding one unchanged element again
    /// at a time. It logs a notice if the text of one differs.
    ///
    /// Switch this off if that happens, if an `encode(to:)` reads a global variable, or if it reads
    /// the properties of objects that change in place. Every change then encodes the whole state.
    public var remembersElements = true

    /// Creates the default options.
    public init() {}
  }
}
