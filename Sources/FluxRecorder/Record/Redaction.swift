/// The parts of states and actions to redact.
///
/// A redacted value never reaches the file, the ring of actions in flight, or the memory of the
/// last written values. A token such as `"<redacted 5f0c2a9e71b3d844>"` replaces it. Within one
/// log, equal values have equal tokens. Tokens of different logs differ, because each log has a new
/// random key, which is not stored. `null` stays `null`.
///
/// Redaction is by location. In a pointer, `*` matches any member or element, and `**` any number
/// of them, including none: `/**/password` is every password of every store. If a secret is in
/// several places, list all of them. An action carries a secret before any state contains it, so
/// list the action's payload too: `["session/*": ["/token"]]`, or `["*": ["/**/token"]]` for every
/// action. Actions inside a `Batch` are redacted like any other action. A pointer to the present
/// value of a `History` also redacts its past and future values.
///
/// With an allow-list, ``only(_:actions:circumstances:keepingTexts:)``, everything else is redacted.
///
/// Payloads, the labels of batches, the messages of rejections and the marks may contain a copy of a
/// secret. In them, a token also replaces every secret of at least four bytes that the log has seen,
/// and the usual transformations of it: in another case, trimmed, escaped, or encoded. Names of stores,
/// effects, types and members are not redacted. If the keys of a map are secret, redact the whole map.
///
/// A pointer that matched no value is reported when the log is closed; see
/// `LogError.Reason.unmatchedRedaction(_:)`.
public struct Redaction: Sendable {
  /// The parts of a log that are not redacted, if everything else is.
  struct AllowList: Sendable {
    var states: [String]
    var actions: [String: [String]]
    var circumstances: [String]
    /// `true` to write messages, marks and labels.
    var keepsTexts: Bool
  }

  /// The locations of values in the model, as JSON Pointers that begin with the store.
  ///
  /// `*` matches any member or element, `**` any number of them: `/session/token`,
  /// `/users/*/password`, `/**/password`.
  public var states: [String]
  /// The locations of values in payloads, as JSON Pointers by action type.
  ///
  /// In a pointer, `*` and `**` are wildcards as in ``states``. In a type, `*` matches any sequence
  /// of characters: `["session/login": ["/password"]]`.
  public var actions: [String: [String]]
  /// The locations of values in the circumstances of the recording, as JSON Pointers that begin with the
  /// circumstance: `/account`.
  public var circumstances: [String]
  /// The allow-list; nil if there is none.
  private(set) var allowed: AllowList?

  /// Creates a redaction.
  public init(
    states: [String] = [], actions: [String: [String]] = [:], circumstances: [String] = []
  ) {
    self.states = states
    self.actions = actions
    self.circumstances = circumstances
  }

  /// Creates a redaction that replaces everything except the values at these locations.
  ///
  /// ```swift
  /// options.redaction = .only(
  ///   ["/todos/items/*/done", "/filter"], actions: ["todo/toggle": ["/id"]])
  /// ```
  /// The largest possible value is replaced: a token stands for a whole state if nothing in it is allowed.
  /// Names remain: of stores, effects and action types, and of the members on the way to an
  /// allowed value. The lengths of arrays on the way remain, too.
  ///
  /// ``states`` and ``actions`` of the result redact locations inside the allowed ones.
  ///
  /// - Parameters:
  ///   - states: Pointers into the model that begin with the store.
  ///   - actions: Pointers into the payload, by action type. The empty pointer is the whole payload.
  ///   - circumstances: Pointers into the circumstances that begin with the name of one.
  ///   - keepingTexts: `true` to write the messages of rejections, the marks and the labels of batches.
  ///     Tokens replace the secrets in them that the log has seen. By default, each text is a token.
  /// - Returns: The redaction.
  public static func only(
    _ states: [String], actions: [String: [String]] = [:], circumstances: [String] = [],
    keepingTexts: Bool = false
  ) -> Redaction {
    var redaction = Redaction()
    redaction.allowed = AllowList(
      states: states, actions: actions, circumstances: circumstances, keepsTexts: keepingTexts)
    return redaction
  }

  /// `true` if nothing is redacted.
  var isEmpty: Bool {
    states.isEmpty && actions.isEmpty && circumstances.isEmpty && allowed == nil
  }
}

extension Redaction {
  /// The contents of a log with this redaction, for a message that ends with them.
  ///
  /// Without redaction: `all actions and states in plain text, nothing redacted`.
  package var summary: String {
    let redacted = list(states, actions, circumstances)
    guard let allowed else {
      return "all actions and states in plain text, "
        + (redacted.isEmpty ? "nothing redacted" : "except at \(redacted)")
    }
    let kept = list(allowed.states, allowed.actions, allowed.circumstances)
    return (allowed.keepsTexts ? "names, times, messages, marks and labels" : "names and times")
      + " in plain text, and \(kept.isEmpty ? "no values" : "the values at \(kept)")"
      + (redacted.isEmpty ? "" : ", except at \(redacted)")
  }

  private func list(
    _ states: [String], _ actions: [String: [String]], _ circumstances: [String]
  ) -> String {
    let payloads = actions.sorted { $0.key < $1.key }.flatMap { type, pointers in
      pointers.map { $0.isEmpty ? type : "\(type) \($0)" }
    }
    return (states + payloads + circumstances.map { "circumstances \($0)" }).joined(separator: ", ")
  }
}
