import FluxLog
import FluxReplay

extension Session {
  /// What the engine looks for at stop points, in their order.
  ///
  /// Where one of them stops at divergences, the log is replayed first, unless it was before.
  mutating func stopConditions(of points: [StopPoint]) throws -> [StopCondition] {
    var conditions: [StopCondition] = []
    for point in points {
      switch point.kind {
      case .breakpoint(let glob): conditions.append(.action(glob, where: point.condition))
      case .watchpoint(let path): conditions.append(.change(path, where: point.condition))
      case .rejection: conditions.append(.rejection)
      case .gap: conditions.append(.gap)
      case .divergence: conditions.append(.positions(Set(try replayedLog().findings.keys)))
      }
    }
    return conditions
  }

  /// Replays the whole log, beyond steps that differ, so that the same steps are met in both
  /// directions.
  private mutating func replayedLog() throws -> ReplayedLog {
    try waitForIndex()
    let timeout = replayTimeout
    if let replayed, replayed.stepCount == log.count, replayed.timeout == timeout {
      return replayed
    }
    var options = Verification.Options()
    options.stopsAtFirst = false
    options.timeout = timeout
    let found: ReplayedLog
    do {
      let report = try app().verify(
        timeline, options: options, progress: reporting("replaying"))
      try report.requireRun()
      notes += report.remarks
      found = ReplayedLog(report.divergences, report.failure, in: log, timeout: timeout)
    } catch let failure as ReplayFailure where failure.step != nil && failure.reason != .cancelled {
      found = ReplayedLog([], failure, in: log, timeout: timeout)
    }
    replayed = found
    return found
  }
}

extension ReplayReport {
  /// An app that cannot run the log at all has shown nothing.
  fileprivate func requireRun() throws(CommandError) {
    guard severity == .impossible else { return }
    throw CommandError(
      .replayFailed,
      "the app does not fit the log: \(incompatibilities.map(\.description).joined(separator: "; "))",
      hint: "'verify' tells all that there is to know")
  }

  /// What keeps steps from being compared.
  fileprivate var remarks: [String] {
    incompatibilities.map { "\($0.severity): \($0)" } + damage.map { "damage: \($0)" } + notes
  }
}
