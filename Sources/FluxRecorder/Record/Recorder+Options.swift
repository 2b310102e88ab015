public import FluxLog

// New projects of Xcode see the members of imported modules only. A name that is exported again makes its module count as
// imported, so that an app sets the options, and opens a log, with FluxRecorder alone.
@_exported public import class FluxLog.LogFile

extension Recorder {
  /// The options of a recorder.
  public struct Options: Sendable {
    /// The options of the log writer.
    ///
    /// They include durability, adaptive or full states, the behaviour when the disk is slower than
    /// the app, and the size of a flight recorder.
    public var log = LogWriter.Options()
    /// The app's description in the log header.
    public var app: LogHeader.App?
    /// The values that stay constant while the app runs, such as feature flags and the locale, by name.
    ///
    /// The header of the log lists them. A replay report says if they differ from those that the replayed app
    /// declares.
    public var circumstances: [String: any Encodable & Sendable] = [:]
    /// Returns `true` for actions whose steps are left out of the log; nil to leave out none.
    ///
    /// The next written step contains their changes to the states, after a gap. The closure gets the action alone, not
    /// its target, cause or effect, because it also decides about actions that no dispatcher has put into an envelope.
    /// ```swift
    /// options.shouldSkip = { $0 is ScrollAction }
    /// ```
    public var shouldSkip: (@Sendable (Any) -> Bool)?
    /// The values that are never written; see ``Redaction``.
    public var redaction = Redaction()
    /// The limits for the logs of all launches in a folder such as ``Recorder/AppFolder/applicationSupport``.
    ///
    /// A log is deleted if it exceeds one of them. Set `log.retention` to limit each launch on its own,
    /// too.
    public var launchLimits: [LaunchLimit] = .standard
    /// `true` to record the source line that dispatched or recorded each step, as `Module/File.swift:line`.
    ///
    /// The default is `true` in debug builds, and `false` in release builds. A debugger of recordings goes to
    /// these lines.
    public var recordsSource: Bool = {
      // A developer's recording is opened in an editor. A release build sends nothing that names its files.
      #if DEBUG
        true
      #else
        false
      #endif
    }()
    /// `true` to record the time that each step took: that of its reducers, or from `begin` to the end of an
    /// ``OpenStep``.
    public var recordsDuration = false
    /// `true` to emit an `os_signpost` interval for each step and each effect, for Instruments.
    ///
    /// Steps are in the category `Steps` of the subsystem `FluxRecorder`, and effects in `Effects`. Only Apple's systems have
    /// signposts: elsewhere this does nothing. A step without signposts costs nothing more.
    public var emitsSignposts = false
    /// A profiler in place of Instruments; only this package's own tests set it.
    var intervalSink: StepIntervals.Sink?
    /// `true` if you pass the effects of every step to ``OpenStep/commit(states:effects:)`` or to `record`.
    ///
    /// The header then says so, and a step without effects asked for none. Otherwise the effects of such a step are
    /// unknown. A dispatcher's effects are always recorded.
    public var recordsEffects = false

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

    /// The number of values that reflection reads in one state or action; the rest is written as `$opaque`.
    ///
    /// Reading the default number takes about 4 ms. It counts for ``Recorder/start(reflecting:seed:now:)`` and its
    /// relatives only. A warning in ``Recorder/warnings`` names what was cut.
    public var reflectionLimit = 20_000

    /// Creates the default options.
    public init() {}
  }
}
