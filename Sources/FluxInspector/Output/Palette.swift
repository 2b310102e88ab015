/// How the roles of text look: what is sent before each of them.
public struct Palette: Sendable {
  /// Nothing is sent: for files, pipes, and terminals without colours.
  public static let plain = Palette(starts: [:])

  /// The sixteen colours that every terminal with colours has, so that its theme decides.
  public static let ansi = Palette(starts: [
    .heading: "\u{1B}[1m", .number: "\u{1B}[33m", .action: "\u{1B}[36m", .path: "\u{1B}[34m",
    .added: "\u{1B}[32m", .removed: "\u{1B}[31m", .dim: "\u{1B}[2m", .error: "\u{1B}[1;31m",
  ])

  private let starts: [TextRole: String]

  private init(starts: [TextRole: String]) { self.starts = starts }

  /// What is sent before text of a role; nil where nothing is, and nothing after it either.
  func start(of role: TextRole) -> String? { starts[role] }

  /// What is sent after it.
  static let end = "\u{1B}[0m"
}
