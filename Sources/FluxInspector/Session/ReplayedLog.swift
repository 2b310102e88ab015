import FluxLog
import FluxReplay

/// The result of replaying a whole log, by the positions of its steps.
struct ReplayedLog: Sendable {
  /// The number of steps that the log had; a log that is still being written has more by now.
  let stepCount: Int
  /// The time limit of the app in seconds; nil for none.
  let timeout: Double?
  /// The first finding at each position that has one.
  let findings: [Int: StopHit.Finding]

  /// Sorts the findings of a replay; initial states and a failure without a step are left out.
  init(
    _ divergences: [Divergence], _ failure: ReplayFailure?, in log: LogFile, timeout: Double?
  ) {
    var findings: [Int: StopHit.Finding] = [:]
    func add(_ finding: StopHit.Finding, at step: UInt64) {
      guard let position = log.position(atOrBefore: step), findings[position] == nil else { return }
      findings[position] = finding
    }
    for divergence in divergences where divergence.kind != .initial {
      add(.divergence(divergence), at: divergence.step)
    }
    if let failure, let step = failure.step { add(.failure(failure), at: step) }
    stepCount = log.count
    self.timeout = timeout
    self.findings = findings
  }
}

extension Session {
  /// Replays the whole log, past steps that diverge, so both directions meet the same steps.
  mutating func replayedLog(_ notes: inout [Note]) throws -> ReplayedLog {
    try waitForIndex()
    let timeout = replayTimeout
    if let replayed, replayed.stepCount == log.count, replayed.timeout == timeout {
      return replayed
    }
    var options = Verification.Options()
    options.stopsAtFirst = false
    let found: ReplayedLog
    do {
      let report = try app().verify(
        timeline, options: options, progress: work.reporting("replaying"))
      try report.requireRun()
      notes += report.remarks.map { Note($0) }
      found = ReplayedLog(report.divergences, report.failure, in: log, timeout: timeout)
    } catch let failure as ReplayFailure where failure.step != nil && failure.reason != .cancelled {
      found = ReplayedLog([], failure, in: log, timeout: timeout)
    }
    replayed = found
    return found
  }
}

extension ReplayReport {
  /// Turns the report of an app that cannot run the log at all into an error.
  fileprivate func requireRun() throws(CommandError) {
    guard severity == .impossible else { return }
    throw CommandError(
      .replayFailed,
      "the app cannot replay this log: \(incompatibilities.map(\.description).joined(separator: "; "))",
      next: .verify)
  }

  /// The reasons why steps could not be compared, and the initial states that differ: no step leads to these.
  fileprivate var remarks: [String] {
    incompatibilities.map { "\($0.severity): \($0)" } + damage.map { "damage: \($0)" } + notes
      + divergences.filter { $0.kind == .initial }.compactMap(\.store).map {
        "the store \($0) begins in a different state, where no move stops"
      }
  }
}
