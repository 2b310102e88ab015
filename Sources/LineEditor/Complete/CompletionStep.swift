/// What Tab does: the only candidate goes into the line, else what all of them have in common; where
/// that is nothing new, they are listed.
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
  /// What both texts begin with, in whole characters.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
