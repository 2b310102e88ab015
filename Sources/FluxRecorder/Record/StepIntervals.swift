import FluxSystem

/// Something that takes time in an app, for a profiler.
enum AppInterval: Equatable, Sendable {
  /// A step: its middleware and its reducers.
  case step(UInt64, type: String)
  /// An effect that a step has started.
  case effect(String, cause: UInt64)
}

/// The intervals of a recorder's steps and effects.
///
/// Steps take turns, so only one is open at a time.
final class StepIntervals: Sendable {
  /// Begins an interval in a profiler; the result ends it, with a word for how it ended.
  typealias Sink = @Sendable (AppInterval) -> @Sendable (String) -> Void

  private let begin: Sink
  private let endStep = Monitor<(@Sendable (String) -> Void)?>(nil)

  /// Creates the intervals that the options ask for; nil if there are none, or if the system has no profiler for them.
  init?(_ options: Recorder.Options) {
    guard let sink = options.intervalSink ?? (options.emitsSignposts ? Self.signposts : nil)
    else { return nil }
    begin = sink
  }

  private static var signposts: Sink? {
    #if canImport(os)
      SignpostSink().begin
    #else
      nil
    #endif
  }

  func beginStep(_ number: UInt64, type: String) {
    let end = begin(.step(number, type: type))
    endStep.withLock { $0 = end }
  }

  func endStep(_ result: String) {
    endStep.withLock { $0.take() }?(result)
  }

  /// Begins the interval of an effect; the result ends it.
  func beginEffect(_ name: String, cause: UInt64) -> @Sendable () -> Void {
    let end = begin(.effect(name, cause: cause))
    return { end("ended") }
  }
}
