/// A pattern for action types.
///
/// `*` matches any sequence of characters, including `/`. `?` matches any one character.
public struct Glob: Sendable, Hashable, CustomStringConvertible {
  private let pattern: [Unicode.Scalar]

  /// Creates a glob.
  ///
  /// Every string is a valid pattern.
  public init(_ pattern: String) {
    self.pattern = Array(pattern.unicodeScalars)
  }

  /// The source text of the pattern.
  public var description: String {
    String(String.UnicodeScalarView(pattern))
  }

  /// The only action type that the pattern matches; nil if it has wildcards.
  public var literal: String? {
    pattern.contains("*") || pattern.contains("?") ? nil : description
  }

  /// Returns `true` if the pattern matches the whole type.
  ///
  /// Takes at most `pattern × type` steps.
  public func matches(_ type: String) -> Bool {
    let text = Array(type.unicodeScalars)
    var place = 0
    var position = 0
    // The state to return to after a mismatch: behind the latest star, which then matches one more
    // character. Earlier stars never need another try.
    var retry: (place: Int, position: Int)?
    while position < text.count {
      if place < pattern.count, pattern[place] == "*" {
        retry = (place + 1, position)
        place += 1
      } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[position] {
        place += 1
        position += 1
      } else if let (restart, start) = retry {
        retry = (restart, start + 1)
        place = restart
        position = start + 1
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}
