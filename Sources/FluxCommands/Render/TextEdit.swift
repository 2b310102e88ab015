import FluxJSON
import FluxSystem

/// The changes within a text, by words: what stayed, what was removed and what was added, in order.
package struct TextEdit {
  package enum Part: Equatable {
    case same(String)
    case removed(String)
    case added(String)
  }

  /// Shorter texts are shown whole, one behind the other.
  private static let shortest = 40
  /// A word that is longer, such as a token, is compared by its characters.
  private static let longestWord = 40
  /// Longer texts have no words: taking them apart would take seconds.
  private static let mostBytes = 1 << 20

  let parts: [Part]

  /// Finds the words in which two texts differ; nil if they are short, or have little in common.
  ///
  /// `isShortToo` takes short texts as well, for a line that has no room for both.
  /// The parts begin and end between characters as people see them: an emoji or a letter with its accents is whole.
  init?(from old: String, to new: String, isShortToo: Bool = false) {
    let longest = max(old.unicodeScalars.count, new.unicodeScalars.count)
    guard isShortToo || longest > Self.shortest else { return nil }
    let isLong = max(old.utf8.count, new.utf8.count) > Self.mostBytes
    let parts = isLong ? Self.stretch(old, new) : Self.words(old, new)
    // A text that was replaced as a whole shares a few letters with the new one by chance.
    let kept = parts.reduce(0) { count, part in
      if case .same(let text) = part { count + text.unicodeScalars.count } else { count }
    }
    guard kept * 2 >= min(old.unicodeScalars.count, new.unicodeScalars.count) else { return nil }
    self.parts = parts
  }

  // MARK: Words

  private static func words(_ old: String, _ new: String) -> [Part] {
    let (before, after) = (words(of: old), words(of: new))
    // By bytes: equal texts may be written in two ways.
    let stretches = SequenceAlignment(
      of: before.map { Array($0.utf8) }, after.map { Array($0.utf8) }
    ).stretches
    var parts: [Part] = []
    for (place, stretch) in stretches.enumerated() {
      let text = before[stretch.old.upperBound...].prefix(stretch.count).joined()
      parts += change(before[stretch.old].joined(), after[stretch.new].joined())
      // A blank between two changes is a part of them: three marks in a row cannot be read.
      let isBetween = place > 0 && place + 2 < stretches.count
      if isBetween, text.allSatisfy(\.isWhitespace), text.count == 1 {
        parts.append(.removed(text))
        parts.append(.added(text))
      } else if !text.isEmpty {
        parts.append(.same(text))
      }
    }
    return joined(parts)
  }

  /// Cuts a text into words, blanks and other characters.
  private static func words(of text: String) -> [Substring] {
    var words: [Substring] = []
    var start = text.startIndex
    while start < text.endIndex {
      var end = text.index(after: start)
      if text[start].isPartOfWord {
        while end < text.endIndex, text[end].isPartOfWord { end = text.index(after: end) }
      }
      words.append(text[start..<end])
      start = end
    }
    return words
  }

  /// The parts of a word, or of several words, that became others.
  private static func change(_ removed: String, _ added: String) -> [Part] {
    if max(removed.count, added.count) > longestWord, removed.allSatisfy(\.isPartOfWord),
      added.allSatisfy(\.isPartOfWord)
    {
      return stretch(removed, added)
    }
    return (removed.isEmpty ? [] : [.removed(removed)]) + (added.isEmpty ? [] : [.added(added)])
  }

  /// Joins what was removed, and what was added, between two parts that stayed.
  private static func joined(_ parts: [Part]) -> [Part] {
    var result: [Part] = []
    var (removed, added) = ("", "")
    func flush(_ result: inout [Part]) {
      if !removed.isEmpty { result.append(.removed(removed)) }
      if !added.isEmpty { result.append(.added(added)) }
      (removed, added) = ("", "")
    }
    for part in parts {
      switch part {
      case .removed(let text): removed += text
      case .added(let text): added += text
      case .same:
        flush(&result)
        result.append(part)
      }
    }
    flush(&result)
    return result
  }

  // MARK: Characters

  /// The one stretch in which two texts differ.
  private static func stretch(_ old: String, _ new: String) -> [Part] {
    let (left, right) = (old.unicodeScalars, new.unicodeScalars)
    let limit = min(left.count, right.count)
    var head = 0
    for (scalar, other) in zip(left, right) {
      guard scalar == other else { break }
      head += 1
    }
    var tail = 0
    for (scalar, other) in zip(left.reversed(), right.reversed()) {
      guard scalar == other, tail < limit - head else { break }
      tail += 1
    }
    func isBoundary(_ index: String.Index, of text: String) -> Bool {
      index.samePosition(in: text) != nil
    }
    var (start, newStart) = (
      left.index(left.startIndex, offsetBy: head), right.index(right.startIndex, offsetBy: head)
    )
    while !isBoundary(start, of: old) || !isBoundary(newStart, of: new) {
      (start, newStart) = (left.index(before: start), right.index(before: newStart))
    }
    var (end, newEnd) = (
      left.index(left.endIndex, offsetBy: -tail), right.index(right.endIndex, offsetBy: -tail)
    )
    while !isBoundary(end, of: old) || !isBoundary(newEnd, of: new) {
      (end, newEnd) = (left.index(after: end), right.index(after: newEnd))
    }
    let parts: [Part] = [
      .same(String(old[..<start])), .removed(String(old[start..<end])),
      .added(String(new[newStart..<newEnd])), .same(String(old[end...])),
    ]
    return parts.filter { !$0.text.isEmpty }
  }
}

extension TextEdit.Part {
  var text: String {
    switch self {
    case .same(let text), .removed(let text), .added(let text): text
    }
  }
}

extension Character {
  /// `true` for a letter of a script that puts blanks between words; of others, each letter is a word.
  fileprivate var isPartOfWord: Bool {
    guard isLetter || isNumber || self == "_" else { return false }
    return !unicodeScalars.contains { scalar in
      Self.scriptsWithoutBlanks.contains { $0.contains(scalar.value) }
    }
  }

  /// Thai to Khmer, kana and ideographs.
  private static let scriptsWithoutBlanks: [ClosedRange<UInt32>] = [
    0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x9FFF,
    0xF900...0xFAFF, 0x20000...0x3FFFF,
  ]
}

/// The changes within a text of several lines, by lines.
struct LineEdit {
  enum Line: Equatable {
    case removed(String)
    case added(String)
    /// The number of lines that stayed, before others that did not.
    case same(Int)
  }

  let lines: [Line]

  /// Compares two texts; nil if one of them has no line end, or if they have no line in common.
  init?(from old: String, to new: String) {
    guard old.utf8.contains(UInt8(ascii: "\n")), new.utf8.contains(UInt8(ascii: "\n")) else {
      return nil
    }
    let (before, after) = (Self.lines(of: old), Self.lines(of: new))
    let alignment = SequenceAlignment(
      of: before.map { Array($0.utf8) }, after.map { Array($0.utf8) })
    guard !alignment.runs.isEmpty else { return nil }
    var lines: [Line] = []
    for stretch in alignment.stretches {
      lines += before[stretch.old].map(Line.removed) + after[stretch.new].map(Line.added)
      if stretch.count > 0 { lines.append(.same(stretch.count)) }
    }
    self.lines = lines
  }

  /// The lines, by scalars: in characters, a carriage return and a line feed are one.
  private static func lines(of text: String) -> [String] {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }
}

extension TextOutput {
  /// The scalars of a text that are shown before and behind a change.
  static var context: Int { 20 }

  /// The columns that are shown before and behind a change: the first that fit, or the last.
  private static var contexts: [Int] { [context, 12, 8, 4] }

  /// Writes the changes within a text: `"…the [-quick-]{+slow+} fox…"`.
  mutating func edit(_ edit: TextEdit) {
    var texts: [(text: String, role: TextRole)] = []
    for context in Self.contexts {
      texts = Self.texts(of: edit, context: context, ruler)
      if hasRoom(for: "\"\(texts.map(\.text).joined())\"") { break }
    }
    write("\"")
    for (place, (text, role)) in texts.enumerated() {
      guard role != .plain else {
        write(text)
        continue
      }
      let mark = String(text.suffix(2))
      let rest = texts[(place + 1)...].map(\.text).joined()
      write(fitted(String(text.dropLast(2)), before: mark + tail(of: rest) + "\""), role)
      write(mark, role)
    }
    write("\"")
  }

  /// The screen, or for text without one, characters that all take a column.
  private var ruler: TextScreen { screen ?? TextScreen(columns: .max, rows: .max) { _ in 1 } }

  /// The parts of a text as they are written, without the quotes, which stand around the whole text.
  private static func texts(
    of edit: TextEdit, context: Int, _ ruler: TextScreen
  ) -> [(text: String, role: TextRole)] {
    func quoted(_ text: String) -> String { JSON(stringLiteral: text).unquoted }
    let last = edit.parts.count - 1
    return edit.parts.enumerated().map { place, part in
      switch part {
      case .same(let text):
        // The part that stays is shown next to changes.
        let room = (place == 0 ? 0 : context) + (place == last ? 0 : context) + 1
        guard ruler.width(of: text) > room else { return (quoted(text), .plain) }
        let shown =
          switch place {
          case 0: "…" + ruler.end(of: text, columns: context)
          case last: ruler.cut(text, to: room)
          default: ruler.cutInside(text, to: room)
          }
        return (quoted(shown), .plain)
      case .removed(let text): return ("[-\(quoted(text))-]", .removed)
      case .added(let text): return ("{+\(quoted(text))+}", .added)
      }
    }
  }

  /// Writes the changes within a text of several lines, each line on its own.
  ///
  /// Removed lines have their numbers in the old text. Added lines follow those that they replace; elsewhere, the first
  /// one has its number in the new text.
  mutating func edit(_ edit: LineEdit) throws {
    let changed = edit.lines.count { if case .same = $0 { false } else { true } }
    try line("\(changed.counted("line")) of its text \(changed == 1 ? "differs" : "differ")")
    var (old, new) = (1, 1)
    var label: String?
    for place in edit.lines.indices {
      switch edit.lines[place] {
      case .same(let count):
        (old, new) = (old + count, new + count)
        label = nil
      case .removed(let text):
        let number = "\(old)"
        write("  \(number) ", .dim)
        write("- ", .removed)
        try line(fitted(JSON(stringLiteral: text).unquoted), .removed)
        old += 1
        label = String(repeating: " ", count: number.count)
      case .added(let text):
        let number = label ?? "\(new)"
        write("  \(number) ", .dim)
        write("+ ", .added)
        try line(fitted(JSON(stringLiteral: text).unquoted), .added)
        new += 1
        label = String(repeating: " ", count: number.count)
      }
    }
  }
}

extension JSON {
  /// The text of a string without its quotes, with escapes for all that does not show.
  fileprivate var unquoted: String { String(description.dropFirst().dropLast()) }
}
