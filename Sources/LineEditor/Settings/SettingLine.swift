/// A line of editor settings that is not empty and no comment.
struct SettingLine: Equatable {
  /// Counted from 1.
  let number: Int
  let text: String
  /// Its words, without their quotes.
  let words: [String]

  /// The lines of a file.
  static func parse(_ text: String) -> [SettingLine] {
    var lines: [SettingLine] = []
    // By scalars, as a return and a line feed are one character.
    let parts = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let line = Substring(part.last == "\r" ? part.dropLast() : part)
      let trimmed = String(line.drop { $0 == " " || $0 == "\t" })
      guard !trimmed.isEmpty, !trimmed.hasPrefix("#"), !trimmed.contains("\0") else { continue }
      lines.append(SettingLine(number: index + 1, text: trimmed, words: split(trimmed)))
    }
    return lines
  }

  /// Whether the line is meant for the program: it may begin with a program's name and a colon.
  func concerns(_ program: String) -> Bool {
    guard let first = words.first, let colon = first.firstIndex(of: ":") else { return true }
    let name = first[..<colon]
    // libedit takes the name for a part of the program's, or for a regular expression.
    return program.contains(name) || name.contains { "*.[".contains($0) }
  }

  /// The bytes of the key that a `bind` line gives a meaning, nil for all other lines.
  var boundKeySequence: [UInt8]? {
    guard let first = words.first, first == "bind" || first.hasSuffix(":bind") else { return nil }
    var rest = words.dropFirst()
    while let option = rest.first, option.hasPrefix("-"), option.count > 1 {
      // `-v`, `-e` begin anew, `-l` lists, and `-k` names a key of libedit's own table.
      guard option == "-a" || option == "-s" || option == "-r" else { return nil }
      rest = rest.dropFirst()
    }
    guard let key = rest.first, !key.isEmpty else { return nil }
    return KeyNotation.bytes(of: key)
  }

  /// The words of a line, with the quotes of a shell.
  private static func split(_ text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character == "\\" {
        isEscaped = true
      } else if character == " " || character == "\t" {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let whole = word { words.append(whole) }
    return words
  }
}
