/// What of states and actions never reaches the ring of actions in flight, the memory of what was written
/// last, or the file.
///
/// A value that is redacted is replaced by a token such as `"<redacted 5f0c2a9e71b3d844>"`. Within one log
/// equal values have equal tokens; in another log they have others, because the key is made anew for each
/// log and kept nowhere. `null` stays `null`.
///
/// Redaction is by place: a secret that is also somewhere else has to be named there, too. An action brings
/// it before any state has it, so name its payload: `["session/*": ["/token"]]`, or `["*": ["/token"]]` for
/// every action. Actions inside a `Batch` are redacted as they are alone.
///
/// In an app's own words, which are the messages of rejections and the marks, every secret that the log has
/// met is replaced by its token, if it has at least four bytes. Names are written as they are: of stores, of
/// effects, of types, and of members. Where the keys of a map are secret, redact the map.
public struct Redaction: Sendable {
  /// Where the values are in the model, as JSON Pointers that begin with the store, with `*` for any member
  /// or element: `/session/token`, `/users/*/password`.
  public var states: [String]
  /// Where the values are in payloads, as JSON Pointers with `*`, by the types of the actions, in which `*`
  /// stands for any run of characters: `["session/login": ["/password"]]`.
  public var actions: [String: [String]]

  /// Creates a redaction.
  ///
  /// - Parameters:
  ///   - states: Pointers into the model, beginning with the store.
  ///   - actions: Pointers into the payload, by the types of the actions.
  public init(states: [String] = [], actions: [String: [String]] = [:]) {
    self.states = states
    self.actions = actions
  }

  var isEmpty: Bool { states.isEmpty && actions.isEmpty }
}
