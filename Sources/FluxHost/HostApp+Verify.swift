public import FluxLog
public import FluxReplay

extension HostApp: SelfVerifyingApp {
  /// Verifies a log in the host's own process, if the host supports that.
  ///
  /// If the log does not pass there, or the host fails, this side replays it step by step. Every report with a
  /// divergence is therefore this side's own, whatever the host can do. Two replays need two processes, and
  /// always run from here.
  ///
  /// - Parameters:
  ///   - timeline: The log.
  ///   - options: The settings.
  ///   - progress: Called from time to time with the number of completed steps and of all steps to replay. It
  ///     starts over if the log does not pass in the host. An error that it throws ends the replay.
  /// - Returns: The report.
  /// - Throws: The errors of `Verification.run(progress:)`.
  public func verifyLog(
    _ timeline: Timeline, options: Verification.Options,
    progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ReplayReport {
    if !options.runsTwice, let report = try passingReport(timeline, options, progress) {
      return report
    }
    var report = try Verification(of: timeline, in: self, options: options).run(progress: progress)
    report.app = executable
    return report
  }

  /// Returns the host's own report; nil if the log does not pass there.
  private func passingReport(
    _ timeline: Timeline, _ options: Verification.Options,
    _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ReplayReport? {
    let host = try takeHost()
    guard host.welcome.verifies else {
      keep(host)
      return nil
    }
    var stop: (any Error)?
    let answer: VerifyAnswer
    do {
      let request = VerifyRequest(log: timeline.log.path, options)
      let result = try host.connection.ask(
        .verify, limit: options.timeout,
        onProgress: { step in
          do {
            try progress(Int(clamping: step.step), Int(clamping: step.last ?? step.step))
            return true
          } catch {
            stop = error
            return false
          }
        }, params: request)
      answer = try VerifyAnswer(result)
    } catch let failure as ReplayFailure where failure.reason == .cancelled {
      host.connection.end(within: .zero)
      throw stop ?? failure
    } catch {
      // Replaying the steps from here will show the failure.
      host.connection.end(within: .zero)
      if let stop { throw stop }
      return nil
    }
    host.connection.end(within: .seconds(limits.end))
    if let stop { throw stop }
    return answer.verdict == .passed ? answer.report(on: timeline.log.path) : nil
  }
}
