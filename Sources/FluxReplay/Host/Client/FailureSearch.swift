import FluxLog

/// Finds the step at which a host fails.
///
/// Many actions go into a message, and a host that crashes does not say at which. Replay leads to the
/// same again, so they are dispatched one by one in a fresh host, from the states before them.
struct FailureSearch {
  let app: HostApp
  /// The place before the actions.
  let start: SessionStart

  /// The failure with its step and the steps before it, or with what is known about it.
  func locate(_ failure: ReplayFailure, in actions: ArraySlice<ReplayAction>) -> ReplayFailure {
    guard failure.step == nil, let first = actions.first else { return failure }
    var failure = failure
    guard actions.count > 1 else {
      failure.step = first.number ?? start.next
      failure.action = first.action["type"]?.string
      return failure
    }
    switch failure.reason {
    case .exited, .timedOut, .protocolViolation, .refused, .cannotEncode: break
    default: return failure
    }
    var completed: [ReplayedStep] = []
    do {
      let session = try HostSession(app: app, start)
      defer { session.end() }
      for action in actions { completed += try session.dispatch([action]) }
    } catch {
      guard error.step != nil || error.reason == .cancelled else { return failure }
      failure = error
      failure.completed = completed
      return failure
    }
    failure.note =
      "\(range(actions)); dispatched one by one in a fresh process, none of them failed"
    return failure
  }

  private func range(_ actions: ArraySlice<ReplayAction>) -> String {
    guard let first = actions.first?.number, let last = actions.last?.number else {
      return "it happened at one of \(actions.count) actions from step \(start.next) on"
    }
    return "it happened at one of the steps \(first) to \(last)"
  }
}
