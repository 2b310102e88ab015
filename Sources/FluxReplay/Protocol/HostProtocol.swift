/// What both sides of the protocol between an inspector and a replay host have to agree on.
///
/// JSON-RPC 2.0, one message a line. `docs/replay-host.md` has all of it.
public enum HostProtocol {
  /// The version that is spoken here: hosts of another major version are refused.
  public static let version = "1.0"

  /// The environment variable by which an app is asked to serve.
  public static let variable = "FLUX_REPLAY_HOST"

  /// The value of ``variable`` that asks for it: over standard input and output.
  public static let standardStreams = "stdio"

  /// Tells whether the other side's version can be understood.
  package static func isCompatible(_ other: String) -> Bool {
    other.prefix { $0 != "." } == version.prefix { $0 != "." }
  }

  /// What a host can be asked.
  package enum Method: String, CaseIterable {
    case initialize
    case start = "session/start"
    case dispatch = "session/dispatch"
    case states = "session/states"
    case upcast = "session/upcast"
    case end = "session/end"
    case verify
    case shutdown
  }

  /// What is told without being asked.
  package enum Notification: String, CaseIterable {
    /// From the host: how far it has come with a request.
    case progress
    /// To the host: the answer to a request is not needed any more.
    case cancel
  }
}
