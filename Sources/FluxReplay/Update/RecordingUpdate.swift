public import FluxLog
import Foundation

/// Writes a recording anew, with the states that today's app comes to.
///
/// The actions of the whole log are dispatched again. What each step changed, whether it was rejected, and the
/// features that it removed are written as the app has them now; everything else stays: numbers, times, actions,
/// causes, marks, gaps, unknown kinds of line, and the tokens of redacted places. For a recording that an app has
/// outgrown on purpose, and that somebody reviews as they review code.
///
/// ```swift
/// let result = try RecordingUpdate(of: timeline, in: app).write(to: timeline.log.path)
/// print("\(result.changedSteps) of \(result.steps) steps are other ones")
/// ```
public struct RecordingUpdate: Sendable {
  /// What an update has done.
  public struct Result: Sendable, Equatable {
    /// The steps of the recording.
    public let steps: Int
    /// The steps whose lines are other ones than before.
    public let changedSteps: Int

    /// Makes a result.
    public init(steps: Int, changedSteps: Int) {
      self.steps = steps
      self.changedSteps = changedSteps
    }
  }

  private let timeline: Timeline
  private let app: any ReplayApp
  private let options: Verification.Options
  private let environment: [String: String]

  /// Makes an update.
  ///
  /// - Parameters:
  ///   - timeline: The recording.
  ///   - app: Where the fresh stores come from.
  ///   - options: How to replay; the whole log is replayed whatever the range. The new recording is verified
  ///     with these options.
  ///   - environment: Where `CI` is looked up, nil for the environment of this process: where it is set and
  ///     not empty, nothing is written.
  public init(
    of timeline: Timeline, in app: any ReplayApp,
    options: Verification.Options = Verification.Options(),
    environment: [String: String]? = nil
  ) {
    self.timeline = timeline
    self.app = app
    self.options = options
    self.environment = environment ?? ProcessInfo.processInfo.environment
  }

  /// Replays the recording, and writes the new one.
  ///
  /// It is written beside the path, verified, and only then takes the place of what is there, at once: whatever
  /// ends the process, there are all of the old bytes or all of the new ones. The timeline goes on to read the
  /// old ones.
  ///
  /// - Parameters:
  ///   - path: Where the new recording goes, mostly the path of the old one. The permissions of what is there
  ///     stay.
  ///   - progress: Called after each batch with the steps that are done and all that there are; each is
  ///     counted twice, as it is replayed and as it is verified. What it throws ends the update.
  /// - Returns: What has changed.
  /// - Throws: ``UpdateError`` where the recording cannot be brought up to date by new states alone,
  ///   ``ReplayFailure`` where the app cannot be run, `LogError` where the log is being recorded, or a file
  ///   cannot be read or written, and as ``Verification/run(progress:)`` does; nothing has changed then.
  @discardableResult
  public func write(
    to path: String, progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> Result {
    guard (environment["CI"] ?? "").isEmpty else { throw refusal(.continuousIntegration) }
    let log = timeline.log
    try log.waitForIndex()
    try checkSoundness()
    let description = try app.describe()
    try check(description.incompatibilities(with: log, in: 0..<log.count))
    let total = 2 * log.count
    do {
      let rewriter = try UpdateRun(
        timeline: timeline, app: app, description: description, options: options
      ).rewrite(to: path) { try progress($0, total) }
      try verify(rewriter.path) { try progress(log.count + $0, total) }
      try rewriter.commit()
      return Result(steps: log.count, changedSteps: rewriter.changedSteps)
    } catch let failure as ReplayFailure {
      guard case .statesNotRestorable(let problems) = failure.reason else { throw failure }
      throw refusal(
        .incompatible(
          problems.map { Incompatibility(.unfitState(store: $0.store, why: $0.why)) }))
    }
  }

  // MARK: Refusals

  /// Refuses a log with lines that cannot be used, or that somebody may still be writing.
  private func checkSoundness() throws(UpdateError) {
    let log = timeline.log
    let isUnusable: (Finding) -> Bool = { $0.problem == .torn || $0.problem.severity == .lost }
    if let finding = log.findings.first(where: isUnusable) { throw refusal(.damaged(finding)) }
    guard let found = log.gaps.first(where: { $0.gap.why == .damaged }) else { return }
    throw refusal(.repaired(found.gap, line: found.line))
  }

  private func check(_ incompatibilities: [Incompatibility]) throws(UpdateError) {
    let impossible = incompatibilities.filter { $0.severity == .impossible }
    guard impossible.isEmpty else { throw refusal(.incompatible(impossible)) }
  }

  /// Verifies the new recording, which is not in its place yet.
  private func verify(_ path: String, progress: (Int) throws -> Void) throws {
    var reading = LogFile.Options()
    reading.usesSidecar = false
    var options = options
    options.range = nil
    let written = Timeline(try LogFile.open(path, options: reading))
    var report = try Verification(of: written, in: app, options: options).run { done, _ in
      try progress(done)
    }
    guard report.verdict != .passed, report.verdict != .empty else { return }
    report.log = timeline.log.path
    throw refusal(.doesNotVerify(report))
  }

  private func refusal(_ reason: UpdateError.Reason) -> UpdateError {
    UpdateError(path: timeline.log.path, reason: reason)
  }
}
