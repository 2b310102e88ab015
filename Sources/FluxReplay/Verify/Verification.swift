public import FluxLog
import Foundation

/// Dispatches the actions of a log again, into fresh stores, and compares what they lead to with what
/// is recorded.
///
/// ```swift
/// let report = try Verification(of: timeline, in: app).run()
/// print(report.text)
/// ```
public struct Verification: Sendable {
  /// How a log is verified.
  public struct Options: Sendable {
    /// The positions of the steps; nil for all.
    public var range: Range<Int>?
    /// Places in the states that are not compared.
    public var ignoring: [IgnoredPath] = []
    /// How far numbers may be apart: that many times the larger one, or that much where both are
    /// smaller than one.
    public var tolerance = 0.0
    /// Whether everything is replayed twice, and the two replays are compared with each other.
    public var runsTwice = false
    /// Whether the first step that differs ends the replay.
    ///
    /// Otherwise it goes on, and what follows from a difference that was told is not told again.
    public var stopsAtFirst = true
    /// How many seconds the app may take over one call; nil for as long as it likes.
    public var timeout: Double?
    /// How many actions are dispatched at a time: more cost memory, fewer a message to another process
    /// each time.
    public var batchSize = 512
    /// The present time, by which a value is known that a reducer took from the clock.
    public var now: LogInstant?

    /// The usual options.
    public init() {}
  }

  private let timeline: Timeline
  private let app: any ReplayApp
  private let options: Options

  /// Makes a verification.
  ///
  /// - Parameters:
  ///   - timeline: The log.
  ///   - app: Where the fresh stores come from.
  ///   - options: How to verify.
  public init(of timeline: Timeline, in app: any ReplayApp, options: Options = Options()) {
    self.timeline = timeline
    self.app = app
    self.options = options
  }

  /// Replays and compares.
  ///
  /// - Parameter progress: Called after each batch with the steps that are done and all that are to be
  ///   replayed; what it throws ends the replay.
  /// - Returns: The report.
  /// - Throws: ``ReplayFailure`` where the app cannot be run, `LogError` where the log cannot be read,
  ///   `PointerError` where the header has a redacted path that is none, `QueryError` where a path that is to be ignored asks for too much, and what `progress` throws.
  public func run(
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> ReplayReport {
    let log = timeline.log
    try log.waitForIndex()
    let range = (options.range ?? 0..<log.count).clamped(to: 0..<log.count)
    var report = ReplayReport(log: log.path)
    let description = try app.describe()
    report.incompatibilities = try description.incompatibilities(with: log, in: range)
    guard report.severity != .impossible else { return report }

    let plan = try StretchPlan(timeline, range)
    report.redacted = log.header.redacted
    report.damage = try plan.damage(in: log, range)
    report.notes += try plan.notes(on: log, range)
    let run = VerificationRun(
      timeline: timeline, app: app, options: options,
      context: ComparisonContext(
        log: log, app: description, ignored: options.ignoring + (try redactedPaths()),
        tolerance: options.tolerance, now: options.now ?? .present))
    do {
      try run.verify(plan, into: &report, progress)
    } catch let failure as ReplayFailure {
      guard case .statesNotRestorable(let problems) = failure.reason else { throw failure }
      report.incompatibilities += problems.map {
        Incompatibility(.unfitState(store: $0.store, why: $0.why))
      }
    }
    report.divergences.sort { $0.step < $1.step }
    return report
  }

  private func redactedPaths() throws -> [IgnoredPath] {
    var paths: [IgnoredPath] = []
    for pointer in timeline.log.header.redacted { paths.append(try IgnoredPath(redacted: pointer)) }
    return paths
  }
}

extension LogInstant {
  /// The present time.
  static var present: LogInstant {
    LogInstant(microseconds: Int64((Date().timeIntervalSince1970 * 1e6).rounded()))
  }
}
