/// The meaning of a stretch of text, for its look.
public enum TextRole: String, Sendable, CaseIterable {
  /// Nothing in particular.
  case plain
  /// The subject of a part of the output.
  case heading
  /// The number of a step.
  case number
  /// Another number.
  case count
  /// The type of an action.
  case action
  /// The place of a value.
  case path
  /// A value that was added, or is new.
  case added
  /// A value that was removed, or is old.
  case removed
  /// The sign of a value that was replaced.
  case changed
  /// A detail that may be skipped.
  case dim
  /// A failure.
  case error
}

/// The look of each role: the characters that are sent before its text.
public struct Palette: Sendable {
  /// Nothing is sent: for files, pipes, and terminals without colors.
  public static let plain = Palette(starts: [:])

  /// Colors of every terminal, so its theme decides.
  ///
  /// Blue is not among them: in many themes it is illegible on black.
  public static let ansi = Palette(starts: [
    .heading: "\u{1B}[1m", .number: "\u{1B}[33m", .count: "\u{1B}[33m", .action: "\u{1B}[36m",
    .path: "\u{1B}[35m",
    .added: "\u{1B}[32m", .removed: "\u{1B}[31m", .changed: "\u{1B}[33m",
    .dim: "\u{1B}[2m", .error: "\u{1B}[1;31m",
  ])

  /// The characters before the text of a role; if there are none, there are none behind it either.
  let starts: [TextRole: String]

  /// Makes a palette.
  ///
  /// - Parameter starts: The characters that begin the look of a role, such as `ESC [1m`. Behind the text of a role that
  ///   has some, `ESC [0m` is sent.
  public init(starts: [TextRole: String]) { self.starts = starts }

  static let end = "\u{1B}[0m"
}
