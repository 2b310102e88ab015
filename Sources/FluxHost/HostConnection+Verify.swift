import FluxJSON
import FluxLog
import FluxReplay

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
