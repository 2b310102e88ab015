import FluxJSON

/// The constants of the protocol between an inspector and an app.
///
/// JSON-RPC 2.0 with one message per line. `docs/app-protocol.md` defines it.
package enum AppProtocol {
  /// The protocol's version; see ``isCompatible(_:)``.
  package static let version = "2.0"

  /// The last version of major version 1.
  package static let lastVersion1 = "1.1"

  /// The environment variable that asks an app to serve.
  package static let variable = "FLUX_REPLAY_HOST"

  /// The same variable for a process that `simctl spawn` starts, which hands it on without the beginning.
  package static let simulatorVariable = "SIMCTL_CHILD_\(variable)"

  /// The beginning of the line on standard error with which a host says why it cannot serve.
  package static let refusal = "the replay host "

  /// The environment variables with the address of an inspector that listens, and with the token of connections over TCP.
  package static let inspectorVariable = "FLUX_INSPECTOR"
  package static let tokenVariable = "FLUX_INSPECTOR_TOKEN"

  /// The value of ``variable`` that asks an app to serve over standard input and output.
  package static let standardStreams = "stdio"

  /// The bytes of a message at most, and of the requests of a client that wait: 32 MB.
  ///
  /// The default is half of FLUX_MEMORY_LIMIT in the environment, because a text and its values are in memory at once.
  package static let messageByteCount = MemoryLimit.standard.byteCount / 2

  /// The number of clients at a time: a person has a few, and each takes a descriptor of the app.
  package static let clientCount = 32

  /// Returns `true` for the versions that this one understands: its own major version and 1, which has the part `replay`.
  package static func isCompatible(_ other: String) -> Bool {
    ["1", "2"].contains(other.prefix { $0 != "." })
  }

  /// A group of requests, which an app serves or not.
  package enum Part: String, Sendable {
    /// Fresh stores, to which recorded actions are dispatched again.
    case replay
    /// The running app.
    case live
    /// The bytes of the app's logs.
    case log
  }

  /// A permission that an app gives to its clients.
  package enum Permission: String, Sendable, CaseIterable {
    case watch, dispatch, present, restore, log, replay
  }

  package enum Method: String, Sendable, CaseIterable {
    case initialize, ping
    case start = "session/start"
    case dispatch = "session/dispatch"
    case states = "session/states"
    case upcast = "session/upcast"
    case end = "session/end"
    case source = "actions/source"
    case verify
    case watch = "live/watch"
    case present = "live/present"
    case resume = "live/resume"
    case restore = "live/restore"
    case dispatchLive = "live/dispatch"
    case follow = "log/follow"
    case launches = "log/launches"
    case launch = "log/launch"
    case inFlight = "log/inflight"
    case shutdown

    /// The part that answers it; nil if every app does.
    package var part: Part? {
      switch self {
      case .initialize, .ping, .shutdown: nil
      case .start, .dispatch, .states, .upcast, .end, .source, .verify: .replay
      case .watch, .present, .resume, .restore, .dispatchLive: .live
      case .follow, .launches, .launch, .inFlight: .log
      }
    }

    /// The permission that it needs; nil if every client may request it.
    package var permission: Permission? {
      switch self {
      case .watch: .watch
      case .present, .resume: .present
      case .restore: .restore
      case .dispatchLive: .dispatch
      case .follow, .launches, .launch, .inFlight: .log
      default: part == .replay ? .replay : nil
      }
    }
  }

  /// The messages without an answer.
  package enum Notification: String {
    /// From the app: progress of a request.
    case progress
    /// To the app: cancels a request.
    case cancel
    case steps = "live/steps"
    case restored = "live/restored"
    case presenting = "live/presenting"
    case resumed = "live/resumed"
    case ended = "live/ended"
    case logSegment = "log/segment"
    case logText = "log/text"
    case logEnded = "log/ended"
  }
}
