import FluxCore
import Synchronization

/// Something that takes time in an app, for a profiler.
enum AppInterval: Equatable, Sendable {
  /// A step: its middleware and its reducers.
  case step(UInt64, type: String)
  /// An effect that a step has started.
  case effect(String, cause: UInt64)
}

/// A profiler that takes the intervals of steps and effects.
protocol IntervalSink: Sendable {
  /// Begins an interval; the result ends it, with a word for how it ended.
  func begin(_ interval: AppInterval) -> @Sendable (String) -> Void
}

/// The intervals of a recorder's steps and effects.
///
/// Steps take turns, so only one is open at a time.
final class StepIntervals: Sendable {
  private let sink: any IntervalSink
  private let endStep = Mutex<(@Sendable (String) -> Void)?>(nil)

  init(_ sink: any IntervalSink) { self.sink = sink }

  /// Creates the intervals that the options ask for; nil if there are none, or if the system has no profiler for them.
  convenience init?(_ options: Recorder.Options) {
    guard let sink = options.intervalSink ?? (options.emitsSignposts ? Self.signposts : nil)
    else { return nil }
    self.init(sink)
  }

  private static var signposts: (any IntervalSink)? {
    #if canImport(os)
      SignpostSink()
    #else
      nil
    #endif
  }

  func beginStep(_ number: UInt64, type: String) {
    let end = sink.begin(.step(number, type: type))
    endStep.withLock { $0 = end }
  }

  /// Ends the open step, if there is one.
  func endStep(_ result: String) {
    endStep.withLock { $0.take() }?(result)
  }

  /// Begins the interval of an effect; the result ends it.
  func beginEffect(_ name: String, cause: UInt64) -> @Sendable () -> Void {
    let end = sink.begin(.effect(name, cause: cause))
    return { end("ended") }
  }
}
