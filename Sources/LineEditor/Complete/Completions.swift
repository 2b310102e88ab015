/// The possible completions of a word.
package struct Completions: Equatable, Sendable {
  /// One completion.
  package struct Candidate: Equatable, Sendable {
    package var text: String
    /// The text to append if this is the only candidate: a space, a slash.
    package var suffix: String

    package init(_ text: String, suffix: String = " ") {
      self.text = text
      self.suffix = suffix
    }
  }

  /// The part of the line that a candidate replaces; it ends at the cursor or after it.
  package var replaced: Range<String.Index>
  package var candidates: [Candidate]

  package init(replacing replaced: Range<String.Index>, with candidates: [Candidate]) {
    self.replaced = replaced
    self.candidates = candidates
  }
}

/// The effect of Tab on a line.
///
/// A single candidate completes the word. Several candidates complete their common prefix. If the word
/// already has that prefix, they are listed.
enum CompletionStep: Equatable {
  case beep
  case replace(LineBuffer)
  case list([Completions.Candidate])

  init(_ completions: Completions, in line: LineBuffer) {
    let candidates = completions.candidates
    guard let first = candidates.first else {
      self = .beep
      return
    }
    if candidates.count == 1 {
      self = .replace(line.replacing(completions.replaced, with: first.text + first.suffix))
      return
    }
    let common = candidates.dropFirst().reduce(first.text) { $0.commonPrefix(with: $1.text) }
    let word = line.text[completions.replaced]
    if common.count > word.count {
      self = .replace(line.replacing(completions.replaced, with: common))
    } else {
      self = .list(candidates)
    }
  }
}

extension String {
  /// The longest common prefix, in whole characters.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
