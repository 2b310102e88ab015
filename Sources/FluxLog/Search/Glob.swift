/// A pattern for action types.
///
/// `*` matches any sequence of characters, including `/`. `?` matches any one Unicode scalar, and text is compared by scalars.
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
    var index = 0
    var position = 0
    // The state to return to after a mismatch: behind the latest star, which then matches one more
    // character. Earlier stars never need another try.
    var retry: (index: Int, position: Int)?
    while position < text.count {
      if index < pattern.count, pattern[index] == "*" {
        retry = (index + 1, position)
        index += 1
      } else if index < pattern.count, pattern[index] == "?" || pattern[index] == text[position] {
        index += 1
        position += 1
      } else if let (restart, start) = retry {
        retry = (restart, start + 1)
        index = restart
        position = start + 1
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == "*" }
  }
}
