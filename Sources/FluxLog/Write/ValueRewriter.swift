public import FluxJSON

/// Changes values before anything else sees them: what redaction is made with.
///
/// Called with every action and every state, on any thread, before the value reaches the file,
/// the ring of actions in flight, or the memory of what was written last.
public struct ValueRewriter: Sendable {
  /// What a value is.
  public enum Role: Sendable, Hashable {
    /// An action: an object with `type` and `payload`.
    case action
    /// The state of that store.
    case state(String)
  }

  private let body: @Sendable (Role, JSON) throws -> JSON
  private let textBody: @Sendable (String) -> String

  /// Makes a rewriter; an error counts as one of encoding the value.
  ///
  /// - Parameters:
  ///   - body: Changes actions and states.
  ///   - text: Changes what the app says in its own words: the message of a rejection, a mark. It is called
  ///     when the line is written, with all actions and states of earlier lines seen, and the line's own action.
  public init(
    _ body: @escaping @Sendable (Role, JSON) throws -> JSON,
    text: @escaping @Sendable (String) -> String = { $0 }
  ) {
    self.body = body
    textBody = text
  }

  func rewrite(_ value: JSON, _ role: Role) throws -> JSON { try body(role, value) }

  func rewrite(_ text: String) -> String { textBody(text) }
}
