/// The constants of the protocol between an inspector and a replay host.
///
/// JSON-RPC 2.0 with one message per line. `docs/replay-host.md` defines it.
public enum HostProtocol {
  /// The protocol's version; hosts with another major version are refused.
  public static let version = "1.1"

  /// The environment variable that asks an app to serve.
  public static let variable = "FLUX_REPLAY_HOST"

  /// The value of ``variable`` that asks an app to serve over standard input and output.
  public static let standardStreams = "stdio"

  /// Returns `true` if the other side reads the effects of a step by store, which are new in 1.1.
  static func readsStoreEffects(_ other: String) -> Bool {
    let parts = other.split(separator: ".", maxSplits: 1)
    return parts.count == 2 && isCompatible(other) && parts[1] != "0"
  }

  package static func isCompatible(_ other: String) -> Bool {
    other.prefix { $0 != "." } == version.prefix { $0 != "." }
  }

  package enum Method: String, CaseIterable {
    case initialize
    case start = "session/start"
    case dispatch = "session/dispatch"
    case states = "session/states"
    case upcast = "session/upcast"
    case end = "session/end"
    case source = "actions/source"
    case verify
    case shutdown
  }

  /// The messages without an answer.
  package enum Notification: String, CaseIterable {
    /// From the host: progress of a request.
    case progress
    /// To the host: cancels a request.
    case cancel
  }
}
