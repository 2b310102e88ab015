public import FluxLog
import Foundation

/// Rewrites a recording with the states that the current app computes.
///
/// Dispatches the actions of the whole log again, and writes each step's current changes, rejection and
/// removed features. Everything else stays: numbers, times, actions, causes, marks, gaps, unknown kinds of
/// line, and the tokens of redacted places. Use it for a recording that an intended change of the app has
/// made out of date, and review the result like code.
///
/// ```swift
/// let result = try RecordingUpdate(of: timeline, in: app).write(to: timeline.log.path)
/// print("\(result.changedSteps) of \(result.steps) steps are other ones")
/// ```
public struct RecordingUpdate: Sendable {
  /// The result of an update.
  public struct Result: Sendable, Equatable {
    /// The number of steps of the recording.
    public let steps: Int
    /// The number of steps whose lines have changed.
    public let changedSteps: Int

    /// Creates a result.
    public init(steps: Int, changedSteps: Int) {
      self.steps = steps
      self.changedSteps = changedSteps
    }
  }

  private let timeline: Timeline
  private let app: any ReplayApp
  private let options: Verification.Options
  private let environment: [String: String]

  /// Creates an update.
  ///
  /// - Parameters:
  ///   - timeline: The recording.
  ///   - app: The source of fresh stores.
  ///   - options: The settings of the replay and of the verification of the new recording. The range is
  ///     ignored: an update replays the whole log.
  ///   - environment: The variables to look up `CI` in; nil for those of this process. If `CI` is set and not
  ///     empty, nothing is written.
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
  /// The new file is written beside the path, verified, and then renamed over the old one. If the process
  /// ends on the way, the old file is intact. The timeline continues to read the old file.
  ///
  /// - Parameters:
  ///   - path: The path of the new recording, usually that of the old one. An existing file's permissions
  ///     stay.
  ///   - progress: Called after each batch with the number of completed steps and of all steps. Each step
  ///     counts twice, for its replay and its verification. An error that it throws ends the update.
  /// - Returns: The number of changed steps.
  /// - Throws: ``UpdateError`` if new states alone cannot bring the recording up to date, ``ReplayFailure``
  ///   if the app cannot be run, `LogError` if the log is still being recorded or a file cannot be read or
  ///   written, and the errors of ``Verification/run(progress:)``. After an error, nothing has changed.
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

  /// Refuses a log with unusable lines, or one that may still be recorded.
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

  /// Verifies the new recording before it replaces the old one.
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
