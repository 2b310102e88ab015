/// What may stand at the end of a line that is being written.
public struct Completions: Sendable, Equatable {
  /// Where the word begins that a candidate takes the place of, in Unicode scalars from the start
  /// of the line; it ends at the cursor.
  public let start: Int
  /// What may stand there, the likeliest first.
  public let candidates: [String]

  /// Makes completions.
  public init(start: Int, candidates: [String]) {
    self.start = start
    self.candidates = candidates
  }

  /// The text that all candidates begin with; empty where there are none.
  public var commonPrefix: String {
    guard var prefix = candidates.first.map({ Array($0.unicodeScalars) }) else { return "" }
    for candidate in candidates.dropFirst() {
      let common = zip(prefix, candidate.unicodeScalars).prefix { $0 == $1 }.count
      prefix.removeSubrange(common...)
    }
    return String(String.UnicodeScalarView(prefix))
  }
}
