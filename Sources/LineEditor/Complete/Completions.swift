/// What a word can become.
package struct Completions: Equatable, Sendable {
  /// One way to go on.
  package struct Candidate: Equatable, Sendable {
    /// What the replaced part becomes.
    package var text: String
    /// What it is, in a few words; empty where there is nothing to say.
    package var help: String
    /// What follows where this is the only candidate: a space, a slash.
    package var suffix: String

    /// Makes a candidate.
    package init(_ text: String, help: String = "", suffix: String = " ") {
      self.text = text
      self.help = help
      self.suffix = suffix
    }
  }

  /// The part of the line that a candidate replaces; it ends at the cursor or behind it.
  package var replaced: Range<String.Index>
  /// The candidates in the order in which they are shown.
  package var candidates: [Candidate]

  /// Makes completions.
  package init(replacing replaced: Range<String.Index>, with candidates: [Candidate]) {
    self.replaced = replaced
    self.candidates = candidates
  }
}
