package import FluxJSON

/// Changes values before anything else sees them, for example to redact them.
///
/// The writer calls it with every action and every state, on any thread, before the value reaches
/// the file, the file of actions in flight, or the writer's copy of the last states.
package protocol ValueRewriter: Sendable {
  /// `false` if actions and states need not be shown to the rewriter, which only changes texts.
  var changesValues: Bool { get }

  /// The pointers that have matched no value so far, for the end line.
  var unmatched: [String] { get }

  /// Returns `false` for a store whose states need not all be shown to the rewriter.
  func seesEveryState(_ store: String) -> Bool

  /// Changes an action or a state; an error counts as an encoding failure.
  ///
  /// A state has the number of its step if that drew random numbers or UUIDs.
  func rewrite(_ role: ValueRole, _ value: JSON, drawnIn step: UInt64?) throws -> JSON

  /// Changes the app's own words: the message of a rejection, a mark.
  ///
  /// Called when the line is written, after all actions and states of earlier lines, and the line's own action.
  func rewrite(_ text: String) -> String
}

/// The kind of a value that a ``ValueRewriter`` changes.
package enum ValueRole: Sendable, Hashable {
  /// An action: an object with `type` and `payload`.
  case action
  /// The state of the named store.
  case state(String)
}
