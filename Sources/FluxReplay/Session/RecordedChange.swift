package import FluxJSON

/// A store that a recorded step changed.
package struct RecordedChange: Sendable, Equatable {
  /// The reasons why a log lacks a state.
  package enum Missing: Sendable {
    /// The recorder was behind.
    case behind
    /// The file that was imported had no states.
    case imported
  }

  /// The store, by its name in the log.
  package let store: String
  /// Its state after the step, as it was recorded until it is upcast; nil if the step removed it, or if it is not written.
  package var state: JSON?
  /// The reason why the log does not have the state; nil if it has it.
  let missing: Missing?

  package init(store: String, state: JSON? = nil, missing: Missing? = nil) {
    (self.store, self.state, self.missing) = (store, state, missing)
  }

  /// `true` if the log does not have the state.
  var isUnwritten: Bool { missing != nil }
}
