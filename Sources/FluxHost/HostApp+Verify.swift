public import FluxLog
public import FluxReplay

extension HostApp {
  /// Verifies a log, in the host's own process where the host can do that.
  ///
  /// There neither actions nor states have to go to and fro. A log that does not pass there, or on which
  /// the host fails, is then replayed step by step from here: so a report is always this side's own, and
  /// the same as that of a host which cannot verify. Replaying twice takes two processes, and is always
  /// done from here.
  ///
  /// - Parameters:
  ///   - timeline: The log.
  ///   - options: How to verify.
  ///   - progress: Called from time to time with the steps that are done and all that are to be replayed,
  ///     and from the first step again where the log does not pass in the host; what it throws ends the
  ///     replay.
  /// - Returns: The report.
  /// - Throws: As `Verification.run(progress:)` does.
  public func verify(
    _ timeline: Timeline, options: Verification.Options = Verification.Options(),
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> ReplayReport {
    if !options.runsTwice, let report = try passingReport(timeline, options, progress) {
      return report
    }
    var report = try Verification(of: timeline, in: self, options: options).run(progress: progress)
    report.app = executable
    return report
  }

  /// The host's own report, where the log passes there.
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
        }, params: request.write)
      answer = try VerifyAnswer(result)
    } catch let failure as ReplayFailure where failure.reason == .cancelled {
      host.connection.end(within: .zero)
      throw stop ?? failure
    } catch {
      // What it is is going to show when the steps are replayed from here.
      host.connection.end(within: .zero)
      if let stop { throw stop }
      return nil
    }
    host.connection.end(within: .seconds(limits.end))
    if let stop { throw stop }
    return answer.verdict == .passed ? answer.report(on: timeline.log.path) : nil
  }
}
