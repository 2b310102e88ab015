/// A remark about how a result came to be, which is no part of it, and what to do about it.
///
/// The session says what is so; each front end words the next step, because only it knows how its users take it.
public struct Note: Sendable, Equatable, ExpressibleByStringInterpolation {
  /// The remark; empty if the next step says all.
  public let text: String
  /// The next thing to do, if it is known.
  public let next: CommandError.NextStep?

  /// Makes a remark.
  public init(_ text: String, next: CommandError.NextStep? = nil) {
    (self.text, self.next) = (text, next)
  }

  /// Makes a remark without a next step.
  public init(stringLiteral text: String) { self.init(text) }

  /// The same remark with another one behind it.
  func adding(_ other: Note?) -> Note {
    Note(
      [text, other?.text ?? ""].filter { !$0.isEmpty }.joined(separator: "; "),
      next: other?.next ?? next)
  }

  /// Returns the remark and the next step in the words of a front end, on one line.
  public func text(wording: (CommandError.NextStep) -> String) -> String {
    [text, next.map(wording) ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
  }
}
