/// What a stretch of text is, for whoever chooses its look.
public enum TextRole: Sendable, CaseIterable {
  /// Nothing in particular.
  case plain
  /// What a part of the output is about.
  case heading
  /// The number of a step.
  case number
  /// The type of an action.
  case action
  /// Where a value stands.
  case path
  /// A value that was added, or that is new.
  case added
  /// A value that was removed, or that is old.
  case removed
  /// What may be passed over.
  case dim
  /// That something went wrong.
  case error
}
