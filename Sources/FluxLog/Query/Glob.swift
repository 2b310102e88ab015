/// A pattern for action types: `*` is any run of characters, `/` included, `?` is any one.
public struct Glob: Sendable, Hashable, CustomStringConvertible {
  private let pattern: [Unicode.Scalar]

  /// Makes a glob.
  ///
  /// Every text is one.
  public init(_ pattern: String) {
    self.pattern = Array(pattern.unicodeScalars)
  }

  /// The pattern as it was written.
  public var description: String {
    String(String.UnicodeScalarView(pattern))
  }

  /// The type itself, where the pattern has neither `*` nor `?` and so matches just that.
  public var literal: String? {
    pattern.contains("*") || pattern.contains("?") ? nil : description
  }

  /// Says whether the whole type matches.
  ///
  /// Takes at most `pattern × type` steps.
  public func matches(_ type: String) -> Bool {
    let text = Array(type.unicodeScalars)
    var place = 0
    var position = 0
    // Where to go on after the latest star, should what follows it not fit: a star further left
    // never has to be reconsidered.
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
