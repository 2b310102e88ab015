/// What `set` changes and `show` shows.
public struct Settings: Sendable {
  /// When output has colours.
  public enum Color: String, Sendable, CaseIterable {
    /// Where it goes to a terminal.
    case auto
    /// Everywhere.
    case always
    /// Nowhere.
    case never
  }

  /// The format of output.
  public var format = OutputFormatName.text
  /// When output has colours.
  public var color = Color.auto
  /// Whether long output is shown in a pager.
  public var usesPager = true
  /// How many steps `list` shows before and after the one here.
  public var listContext = 5
  /// How many seconds the app may take to start, and over one call, when actions are dispatched again; 0 for as
  /// long as it likes.
  public var timeout = 30.0

  /// Whether the commands of a sourced file go on after one that failed.
  public var keepsGoing = false

  /// The usual settings.
  public init() {}
}
