/// The parts of states and actions to redact.
///
/// A redacted value never reaches the file, the ring of actions in flight, or the memory of the
/// last written values. A token such as `"<redacted 5f0c2a9e71b3d844>"` replaces it. Within one
/// log, equal values have equal tokens. Tokens of different logs differ, because each log has a new
/// random key, which is not stored. `null` stays `null`.
///
/// Redaction is by location. If a secret is in several places, list all of them. An action carries
/// a secret before any state contains it, so list the action's payload too:
/// `["session/*": ["/token"]]`, or `["*": ["/token"]]` for every action. Actions inside a `Batch`
/// are redacted like any other action.
///
/// The messages of rejections and the marks are free text. In them, the token also replaces every
/// secret of at least four bytes that the log has seen. Names of stores, effects, types and members
/// are not redacted. If the keys of a map are secret, redact the whole map.
public struct Redaction: Sendable {
  /// The locations of values in the model, as JSON Pointers that begin with the store.
  ///
  /// `*` matches any member or element: `/session/token`, `/users/*/password`.
  public var states: [String]
  /// The locations of values in payloads, as JSON Pointers by action type.
  ///
  /// In a pointer, `*` matches any member or element. In a type, it matches any sequence of
  /// characters: `["session/login": ["/password"]]`.
  public var actions: [String: [String]]

  /// Creates a redaction.
  ///
  /// - Parameters:
  ///   - states: Pointers into the model that begin with the store.
  ///   - actions: Pointers into the payload, by action type.
  public init(states: [String] = [], actions: [String: [String]] = [:]) {
    self.states = states
    self.actions = actions
  }

  var isEmpty: Bool { states.isEmpty && actions.isEmpty }
}
