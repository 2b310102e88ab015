import FluxSystem
import FluxTerminal

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
  case replace(EditedLine)
  case list([Completions.Candidate])

  init(_ completions: Completions, in line: EditedLine) {
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

  /// The text without trailing spaces.
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}

/// The rows that list completion candidates below the line.
struct CandidateList: Equatable {
  let rows: [String]

  /// Lays out the candidates in columns, which read downwards.
  ///
  /// If the list does not fit on the screen, it reads across, and the last row counts the rest.
  init(_ candidates: [Completions.Candidate], size: TerminalSize) {
    // Leaves room for the completed line, above and below the list.
    let limit = max(1, size.rows - 3)
    let names = candidates.map(\.text.printable)
    let width = min(names.map { ColumnWidth.of($0) }.max() ?? 0, size.columns - 1)
    let columns = max(1, size.columns / (width + 2))
    let height = (names.count + columns - 1) / columns
    // A cut list has to lose its end, so it reads across instead of downwards.
    let isCut = height > limit
    let lines = (0..<height).map { row in
      let places = (0..<columns).map { isCut ? row * columns + $0 : row + $0 * height }
      return places.filter { $0 < names.count }.map { ColumnWidth.fit(names[$0], columns: width) }
        .joined(separator: "  ").trimmed
    }
    let shown = limit - 1
    rows = isCut ? lines.prefix(shown) + ["… \(names.count - shown * columns) more"] : lines
  }
}
