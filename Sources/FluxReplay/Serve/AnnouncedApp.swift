import FluxJSON
import FluxLog

/// A running app in which a request verifies a log: each step is announced before it begins, because one that crashes
/// takes the app down.
struct AnnouncedApp: ReplayApp {
  let app: any ReplayApp
  let request: AppRequest

  /// `false`: the process of the app is the only one.
  var restarts: Bool { false }

  func describe() throws(ReplayFailure) -> AppDescription { try app.describe() }

  func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    AnnouncedSession(try app.start(start), request)
  }
}

private final class AnnouncedSession: ReplaySession {
  private let stores: any ReplaySession
  private let request: AppRequest

  init(_ stores: any ReplaySession, _ request: AppRequest) {
    (self.stores, self.request) = (stores, request)
  }

  func dispatch(_ actions: [ReplayAction]) throws(ReplayFailure) -> [ReplayedStep] {
    var steps: [ReplayedStep] = []
    do throws(ReplayFailure) {
      for action in actions {
        // The actions of a log have the numbers of their steps.
        if let number = action.number { try request.announce(step: number) }
        steps += try stores.dispatch([action])
      }
    } catch {
      var failure = error
      failure.completed = steps + failure.completed
      throw failure
    }
    return steps
  }

  func states() throws(ReplayFailure) -> StoreDictionary<JSON> { try stores.states() }

  func upcast(_ states: [RecordedState]) throws(ReplayFailure) -> [JSON] {
    try stores.upcast(states)
  }

  func end() { stores.end() }
}

extension AppRequest {
  /// Reports a step before it begins, so that its crash has a name.
  ///
  /// - Throws: ``ReplayFailure/Reason/cancelled`` if the request was cancelled, or if the client does not take the report.
  func announce(step: UInt64) throws(ReplayFailure) {
    guard client.sendAtOnce(progress(step: step), for: self) else {
      throw ReplayFailure(.cancelled)
    }
  }
}
