package import FluxJSON
package import FluxLog

/// An app that runs, and that an inspector is attached to.
package protocol LiveApp: AnyObject, Sendable {
  /// The app's description of itself.
  var welcome: Welcome { get }

  /// The path of the app's log on this machine, or of a copy; nil if there is none.
  var logPath: String? { get }

  /// The state in which this side, or another client that the app tells of, has brought the app.
  var presentation: LivePresentation { get set }

  /// The reason why the app can no longer be reached; nil while it can.
  var ending: LiveFailure? { get }

  /// The name of another app that has connected, and waits for the session to end.
  var successor: String? { get }

  /// The app as one to replay in its own process; nil if it does not serve that.
  var replay: (any ReplayApp)? { get }

  /// `false` if the app does not answer at all for two seconds: its process is stopped.
  var responds: Bool { get }

  /// Makes a request, and waits for its result.
  func ask(_ request: LiveRequest) throws(LiveFailure) -> JSON
}

/// The state in which an inspector has brought a running app.
package struct LivePresentation: Sendable, Equatable {
  /// `true` if the app ignores the actions of its user.
  package var isPaused: Bool
  /// The step whose model the app's views show; nil if they show the newest.
  package var step: UInt64?

  package init(isPaused: Bool = false, step: UInt64? = nil) {
    (self.isPaused, self.step) = (isPaused, step)
  }
}

extension LiveApp {
  package var replay: (any ReplayApp)? { nil }

  package var logPath: String? { welcome.log }

  package var responds: Bool { true }

  package var successor: String? { nil }

  package var name: String { welcome.app.name ?? "process \(welcome.process ?? 0)" }

  /// Shows the model after a step in the app's views; nil for the newest.
  ///
  /// With `ignoresActions`, the app ignores the actions of its user meanwhile. `states` returns the recorded states, which
  /// an app needs that no longer has the model.
  package func present(
    _ step: UInt64?, ignoresActions: Bool, states: () throws -> StoreDictionary<JSON>
  ) throws {
    guard let step else {
      _ = try ask(.present(nil, ignoresActions: ignoresActions))
      return
    }
    try locating(step, states) { position throws(LiveFailure) in
      _ = try ask(.present(position, ignoresActions: ignoresActions))
    }
  }

  /// Sets the app to the model after a step.
  ///
  /// `states` returns the recorded states, which an app needs that no longer has the model.
  package func restore(_ step: UInt64, states: () throws -> StoreDictionary<JSON>) throws {
    try locating(step, states) { position throws(LiveFailure) in _ = try ask(.restore(position)) }
  }

  /// Makes a request about a step; once more with the states if the app no longer has them.
  private func locating(
    _ step: UInt64, _ states: () throws -> StoreDictionary<JSON>,
    _ ask: (LivePosition) throws(LiveFailure) -> Void
  ) throws {
    do {
      try ask(LivePosition(step: step))
    } catch LiveFailure.forgotten {
      try ask(LivePosition(step: step, states: try states()))
    }
  }

  /// Dispatches an action, and waits until it and its follow-ups are in the log.
  package func dispatch(
    _ action: JSON, to target: String?
  ) throws(LiveFailure) -> LiveDispatched {
    let result = try ask(.dispatch(action, target: target))
    return try MalformedMessage.turned(into: LiveFailure.malformed, try LiveDispatched(result))
  }
}

/// The reason why a running app does not do something.
package enum LiveFailure: Error, Sendable, Equatable {
  case gone
  case refused(String)
  case forgotten(step: UInt64)
  case undecodable(String)
  case timedOut(seconds: Double)
  /// The request was interrupted; the app may still do what it asked for.
  case cancelled
  case malformed(String)
}

extension LiveFailure {
  package init(_ error: RPCError, asked request: LiveRequest) {
    switch (error.data?["kind"]?.string, request.step) {
    case ("forgotten", let step?): self = .forgotten(step: step)
    case ("undecodable", _): self = .undecodable(error.message)
    default: self = .refused(error.message)
    }
  }
}

extension RPCError {
  package static func forgotten(step: UInt64) -> RPCError {
    RPCError(
      .failed, "the app no longer has the model after step \(step)",
      data: ["kind": "forgotten"])
  }

  package static func undecodable(_ why: String) -> RPCError {
    RPCError(.failed, why, data: ["kind": "undecodable"])
  }
}

extension LiveRequest {
  package var step: UInt64? {
    switch self {
    case .present(let position, _): position?.step
    case .restore(let position): position.step
    case .watch, .resume, .dispatch: nil
    }
  }
}

extension LiveFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .gone: "the app has ended"
    case .refused(let why), .undecodable(let why): why
    case .forgotten(let step): "the app no longer has the model after step \(step)"
    case .timedOut(let seconds):
      "the app did not answer within \(seconds) s; it may be in a long step, or stopped"
    case .cancelled: "interrupted"
    case .malformed(let why): "the app does not speak the protocol of docs/app-protocol.md: \(why)"
    }
  }
}
