import FluxJSON
package import FluxLog
package import FluxReplay

extension HostApp: SelfVerifyingApp {
  /// Asks the host to verify a log in its own process, if it supports that.
  package func passingReport(
    on timeline: Timeline, _ options: Verification.Options,
    _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ReplayReport? {
    let host = try takeHost()
    guard host.welcome.verifies else {
      keep(host)
      return nil
    }
    var patience = Duration.zero
    defer { host.connection.end(within: patience) }
    let log = timeline.log
    var report = try host.connection.passingReport(
      VerifyRequest(log: log.storedPath, options), on: log, limit: limits.call
    ) { step in try progress(Int(clamping: step.step), Int(clamping: step.last ?? step.step)) }
    patience = .seconds(limits.end)
    // A host in another language may pass a damaged log, and say nothing of the log's end.
    try log.waitForIndex()
    guard !log.findings.contains(where: { $0.problem.severity == .lost }) else { return nil }
    let end = options.range?.upperBound ?? log.count
    if end >= log.count { report?.noteEnd(of: log) }
    return report
  }
}

extension AttachedReplay: SelfVerifyingApp {
  /// Asks the app to verify the log where it runs, if it supports that and may have the same log.
  func passingReport(
    on timeline: Timeline, _ options: Verification.Options,
    _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ReplayReport? {
    guard app.welcome.verifies else { return nil }
    let log = timeline.log
    try log.waitForIndex()
    let range = (options.range ?? 0..<log.count).clamped(to: 0..<log.count)
    let request = try VerifyRequest(of: log, options) { try progress(0, range.count) }
    guard let request else { return nil }
    var begun = 0
    var report = try HostConnection(app).passingReport(request, on: log, limit: limits.call) { _ in
      try progress(begun, range.count)
      begun += 1
    }
    // The app may have recorded further, or closed the log: the end is that of this file.
    if report?.isClosed == true, range.upperBound == log.count { report?.noteEnd(of: log) }
    return report
  }
}

extension HostConnection {
  /// Asks the app to verify a log where it runs; returns the report if the log passed, and nil for any other log, and if
  /// the app refuses or fails: dispatching the steps from here then shows why.
  ///
  /// `progress` is called for each report of the app. An error that it throws cancels the request.
  ///
  /// - Throws: The errors of `progress`, and `ReplayFailure` if the caller cancelled, or if the failure would not happen
  ///   again: a running app has ended, or is still in a step.
  func passingReport(
    _ request: VerifyRequest, on log: LogFile, limit: Double?,
    _ progress: (RequestProgress) throws -> Void
  ) throws -> ReplayReport? {
    var stop: (any Error)?
    var reached: UInt64?
    let report: ReplayReport?
    do {
      let result = try ask(
        .verify, limit: limit, steps: log.count,
        onProgress: { step in
          reached = step.step
          do {
            try progress(step)
            return true
          } catch {
            stop = error
            return false
          }
        }, params: request)
      report = try VerifyAnswer.passingReport(result, on: log.path)
    } catch let failure as ReplayFailure where failure.reason == .cancelled {
      throw stop ?? failure
    } catch {
      if let stop { throw stop }
      if process == nil, let failure = error as? ReplayFailure {
        try throwIfFinal(failure, reached, in: log)
      }
      return nil
    }
    if let stop { throw stop }
    return report
  }

  /// Throws the failure of a running app that cannot dispatch the steps once more, with the step that it had begun.
  private func throwIfFinal(
    _ failure: ReplayFailure, _ step: UInt64?, in log: LogFile
  ) throws {
    switch failure.reason {
    case .exited: break
    case .unresponsive where step != nil: break
    default: return
    }
    let position = step.flatMap(log.position(of:))
    throw failure.located(at: step, try position.map { try log.step(at: $0).type })
  }
}

extension ReplayFailure {
  /// Returns the failure with the step at which it happened, and the type of its action.
  func located(at step: UInt64?, _ action: String?) -> ReplayFailure {
    var failure = self
    (failure.step, failure.action) = (step, action)
    return failure
  }
}
