extension ReplayFailure {
  /// The failure of something that was started and is no host, or none that works.
  var asFailureToStart: ReplayFailure {
    var failure = self
    let hint =
      "; the first statement of the app must be ReplayHost.runIfRequested, see docs/replay-host.md"
    switch reason {
    case .exited(let exit):
      failure.reason = .cannotStart(why: "it \(exit) instead of serving\(hint)")
    case .timedOut(let seconds):
      failure.reason = .cannotStart(why: "it did not answer within \(seconds) s\(hint)")
    case .protocolViolation(let found, _):
      failure.reason = .cannotStart(why: "it answered with \(found)\(hint)")
    case .refused(_, let why):
      failure.reason = .cannotStart(why: "it answered with the error: \(why)")
    default: break
    }
    return failure
  }
}
