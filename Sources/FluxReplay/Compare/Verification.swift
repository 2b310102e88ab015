public import FluxLog
import Foundation

/// The settings of a verification; see ``ReplayApp/verify(_:options:progress:)``.
public enum Verification {
  /// The treatment of a part of the recording that an intended change may alter.
  public enum Treatment: String, Sendable, CaseIterable {
    /// A difference is a divergence.
    case compare
    /// Differences do not count.
    case ignore
  }

  /// The settings of a verification.
  public struct Options: Sendable {
    /// The positions of the steps; nil for all.
    public var range: Range<Int>?
    /// Places in the states to skip.
    public var ignoring: [IgnoredPath] = []
    /// The numeric tolerance, relative to the larger number; absolute if both are smaller than one.
    public var tolerance = 0.0
    /// The treatment of the states in which the app begins.
    ///
    /// A saved fork, and the log of an app that restores persisted states, begin in other states than the app does.
    public var initial = Treatment.compare
    /// The treatment of the messages with which reducers refuse actions.
    public var messages = Treatment.compare
    /// `true` to replay twice and compare the two replays with each other.
    ///
    /// The second replay of an app in another process has a process with another environment: hash seed, working
    /// folder, time zone, locale, home folder and folder for temporary files. It begins in another second.
    public var runsTwice = false
    /// `true` to end the replay at the first step that diverges.
    ///
    /// Otherwise the replay continues, and consequences of a reported difference are not reported again.
    public var stopsAtFirst = true
    /// The number of actions to dispatch at a time.
    ///
    /// More need more memory; fewer need more messages to another process.
    package var batchSize = BatchSize.steps
    /// The current time, which reveals values that a reducer took from the clock.
    public var now: LogInstant?
    /// `true` in a CI service, where nobody would review a rewritten recording, so that ``RecordingUpdate`` refuses to
    /// write one.
    ///
    /// The environment variable `CI` is then set and not empty.
    package var isCI: Bool

    /// `false` to leave the divergences without the reasons that take further replays of their steps.
    package var findsReasons = true

    /// Creates the default options.
    ///
    /// - Parameter environment: The variables that show if this is a CI service; nil for those of this process.
    public init(environment: [String: String]? = nil) {
      isCI = !((environment ?? ProcessInfo.processInfo.environment)["CI"] ?? "").isEmpty
    }
  }
}

extension LogInstant {
  static var present: LogInstant {
    LogInstant(microseconds: Int64((Date().timeIntervalSince1970 * 1e6).rounded()))
  }
}
