package import FluxJSON

/// Changes values before anything else sees them, for example to redact them.
///
/// The writer calls it with every action and every state, on any thread, before the value reaches
/// the file, the file of actions in flight, or the writer's copy of the last states.
package struct ValueRewriter: Sendable {
  /// The kind of a value.
  package enum Role: Sendable, Hashable {
    /// An action: an object with `type` and `payload`.
    case action
    /// The state of the named store.
    case state(String)
  }

  /// `false` if actions and states need not be shown to the rewriter, which only changes texts.
  package var changesValues = true

  /// Rewrites the states of a step that drew random numbers; `nil` to treat them like all others.
  package var stateAfterDraw: (@Sendable (_ step: UInt64, _ store: String, JSON) throws -> JSON)?

  /// Returns `false` for a store whose states need not all be shown to the rewriter.
  package var seesEveryState: @Sendable (_ store: String) -> Bool = { _ in true }

  private let body: @Sendable (Role, JSON) throws -> JSON
  private let textBody: @Sendable (String) -> String
  private let unmatchedBody: @Sendable () -> [String]

  /// Creates a rewriter.
  ///
  /// - Parameters:
  ///   - body: Changes actions and states. An error counts as an encoding failure.
  ///   - text: Changes the app's own words: the message of a rejection, a mark. Called when the line
  ///     is written, after all actions and states of earlier lines, and the line's own action.
  ///   - unmatched: Returns the pointers that have matched no value so far. Called when the log is
  ///     closed, for its end line.
  package init(
    _ body: @escaping @Sendable (Role, JSON) throws -> JSON,
    text: @escaping @Sendable (String) -> String = { $0 },
    unmatched: @escaping @Sendable () -> [String] = { [] }
  ) {
    self.body = body
    textBody = text
    unmatchedBody = unmatched
  }

  func rewrite(_ value: JSON, _ role: Role) throws -> JSON { try body(role, value) }

  /// Returns the rewriter of a step that drew random numbers.
  func afterDraw(in step: UInt64) -> ValueRewriter {
    guard let stateAfterDraw else { return self }
    return ValueRewriter { role, value in
      guard case .state(let store) = role else { return try body(role, value) }
      return try stateAfterDraw(step, store, value)
    }
  }

  func rewrite(_ text: String) -> String { textBody(text) }

  /// The pointers that have matched no value so far.
  var unmatched: [String] { unmatchedBody() }
}
