/// What an argument of a command is, for completing it.
package enum CompletionKind: Sendable, Equatable {
  /// A position: `start`, `end`, bookmarks, action types.
  case position
  /// A range of positions.
  case range
  /// The type of an action.
  case actionType
  /// What asks for steps: the type of an action, or an expression with paths.
  case filter
  /// A store.
  case store
  /// A path into the state, or an expression with paths.
  case path
  /// A bookmark's name.
  case bookmark
  /// The number of a display.
  case display
  /// The number of a stop point.
  case stopPoint
  /// The number of a branch.
  case fork
  /// The name of a setting.
  case setting
  /// A value of the setting before it.
  case settingValue
  /// A command.
  case command
  /// A file.
  case file
  /// One of these words.
  case words([String])
}
