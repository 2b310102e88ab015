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

  /// Makes a rewriter; an error counts as one of encoding the value.
  public init(_ body: @escaping @Sendable (Role, JSON) throws -> JSON) {
    self.body = body
  }

  func rewrite(_ value: JSON, _ role: Role) throws -> JSON { try body(role, value) }
}
