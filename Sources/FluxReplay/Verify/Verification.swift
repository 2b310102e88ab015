public import FluxLog
import Foundation

/// Dispatches the actions of a log again in fresh stores, and compares the results with the recorded ones.
///
/// ```swift
/// let report = try Verification(of: timeline, in: app).run()
/// print(report.text)
/// ```
public struct Verification: Sendable {
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
    /// The limit for each call of the app in seconds; nil for no limit.
    public var timeout: Double?
    /// The number of actions to dispatch at a time.
    ///
    /// More need more memory; fewer need more messages to another process.
    public var batchSize = 512
    /// The current time, which reveals values that a reducer took from the clock.
    public var now: LogInstant?

    /// Creates the default options.
    public init() {}
  }

  private let timeline: Timeline
  private let app: any ReplayApp
  private let options: Options

  /// Creates a verification.
  ///
  /// - Parameters:
  ///   - timeline: The log.
  ///   - app: The source of fresh stores.
  ///   - options: The settings of the verification.
  public init(of timeline: Timeline, in app: any ReplayApp, options: Options = Options()) {
    self.timeline = timeline
    self.app = app
    self.options = options
  }

  /// Replays and compares.
  ///
  /// - Parameter progress: Called after each batch with the number of completed steps and of all steps to
  ///   replay. An error that it throws ends the replay.
  /// - Returns: The report.
  /// - Throws: ``ReplayFailure`` if the app cannot be run, `LogError` if the log cannot be read,
  ///   `PointerError` if the header has an invalid redacted path, `QueryError` if an ignored path exceeds the
  ///   limits of a query, and the errors of `progress`.
  public func run(
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> ReplayReport {
    let log = timeline.log
    try log.waitForIndex()
    let range = (options.range ?? 0..<log.count).clamped(to: 0..<log.count)
    var report = ReplayReport(log: log.path)
    let description = try app.describe()
    let constants = CircumstanceDifference.all(log.header.circumstances, description.circumstances)
    report.circumstances = constants.different
    var notCompared = NotComparedCounts()
    for name in constants.redacted { notCompared.add(.circumstances, at: name) }
    report.incompatibilities = try description.incompatibilities(with: log, in: range)
    guard report.severity != .impossible else {
      if let recorded = log.header.app?.name, let name = description.name, recorded != name {
        report.notes.append("this app is \(name), and the log was recorded by \(recorded)")
      }
      return report
    }

    let plan = try StretchPlan(timeline, range)
    report.redacted = log.header.redacted
    report.damage = try plan.damage(in: log, range)
    report.notes += plan.notes(on: log, range)
    for store in log.storeNames.filter(description.drops(store:)) {
      notCompared.add(.droppedStores, at: store)
    }
    let comparesInitial = options.initial == .compare && InitialStates.areRecorded(in: log, range)
    let run = VerificationRun(
      timeline: timeline, app: app, options: options,
      context: ComparisonContext(
        log: log, app: description,
        ignored: options.ignoring,
        hidden: try RedactedPlaces(log.header.redacted, only: log.header.only),
        tolerance: options.tolerance, messages: options.messages, now: options.now ?? .present),
      returned: try ReturnedEffects(log, range, stretches: plan.stretches),
      other: app.elsewhere(at: log.header.created ?? .present))
    notCompared.add(.causes, count: run.returned.stepsWithoutCause)
    notCompared.add(.effects, count: run.returned.steps)
    do {
      if comparesInitial { try run.verifyInitialStates(into: &report, &notCompared) }
      try run.verify(plan, into: &report, &notCompared, progress)
    } catch let failure as ReplayFailure {
      guard case .statesNotRestorable(let problems) = failure.reason else { throw failure }
      report.incompatibilities += problems.map {
        Incompatibility(.unfitState(store: $0.store, why: $0.why))
      }
    }
    report.notes += notCompared.notes
    if range.upperBound == log.count { report.noteEnd(of: log) }
    // What two replays prove comes first: it may be the reason for the others.
    report.divergences.sort { left, right in
      left.comparison == right.comparison
        ? left.step < right.step : left.comparison == .replays
    }
    try run.findReasons(in: &report)
    return report
  }
}

extension LogInstant {
  static var present: LogInstant {
    LogInstant(microseconds: Int64((Date().timeIntervalSince1970 * 1e6).rounded()))
  }
}

/// An app that can verify a log where it runs, so that neither actions nor states cross a process boundary.
package protocol SelfVerifyingApp: ReplayApp {
  /// Verifies a log; see ``ReplayApp/verify(_:options:progress:)``.
  ///
  /// - Returns: The report, which equals that of ``Verification/run(progress:)``.
  func verifyLog(
    _ timeline: Timeline, options: Verification.Options,
    progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ReplayReport
}

extension ReplayApp {
  /// Dispatches the actions of a log again, and compares the results with the recorded ones.
  ///
  /// - Parameters:
  ///   - timeline: The log.
  ///   - options: The settings.
  ///   - progress: Called from time to time with the number of completed steps and of all steps to replay. An
  ///     error that it throws ends the replay.
  /// - Returns: The report.
  /// - Throws: The errors of ``Verification/run(progress:)``.
  public func verify(
    _ timeline: Timeline, options: Verification.Options = Verification.Options(),
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> ReplayReport {
    if let app = self as? any SelfVerifyingApp {
      return try app.verifyLog(timeline, options: options, progress: progress)
    }
    return try Verification(of: timeline, in: self, options: options).run(progress: progress)
  }
}
