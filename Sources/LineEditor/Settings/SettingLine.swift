/// A line of editor settings that is neither empty nor a comment.
struct SettingLine: Equatable {
  let number: Int
  let text: String
  /// The words of the line without quotes.
  let words: [String]

  /// Parses the lines of a file.
  static func parse(_ text: String) -> [SettingLine] {
    var lines: [SettingLine] = []
    // By scalars, because a carriage return and a line feed form one character.
    let parts = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let line = Substring(part.last == "\r" ? part.dropLast() : part)
      let trimmed = String(line.drop { $0 == " " || $0 == "\t" })
      guard !trimmed.isEmpty, !trimmed.hasPrefix("#"), !trimmed.contains("\0") else { continue }
      lines.append(SettingLine(number: index + 1, text: trimmed, words: split(trimmed)))
    }
    return lines
  }

  /// `true` if the line applies to the program: it may begin with a program's name and a colon.
  func concerns(_ program: String) -> Bool {
    guard let first = words.first, let colon = first.firstIndex(of: ":") else { return true }
    let name = first[..<colon]
    // For libedit, the name is a part of the program's name or a regular expression.
    return program.contains(name) || name.contains { "*.[".contains($0) }
  }

  /// The bytes of the key that a `bind` line binds; nil for all other lines.
  var boundKeySequence: [UInt8]? {
    guard let first = words.first, first == "bind" || first.hasSuffix(":bind") else { return nil }
    var rest = words.dropFirst()
    while let option = rest.first, option.hasPrefix("-"), option.count > 1 {
      // `-v` and `-e` reset all keys, `-l` lists them, and `-k` names a key of libedit's own table.
      guard option == "-a" || option == "-s" || option == "-r" else { return nil }
      rest = rest.dropFirst()
    }
    guard let key = rest.first, !key.isEmpty else { return nil }
    return KeyNotation.bytes(of: key)
  }

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

/// The notation of keys in editrc(5): `^A`, `\e[A`, `\033`, `M-x`.
enum KeyNotation {
  /// Decodes the notation into bytes; returns nil if it is invalid.
  static func bytes(of notation: String) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = Array(notation.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "^"):
        guard let letter = rest.popFirst() else { return nil }
        result.append(letter == UInt8(ascii: "?") ? 0x7F : letter & 0x1F)
      case UInt8(ascii: "\\"):
        guard let escaped = escape(&rest) else { return nil }
        result.append(escaped)
      case UInt8(ascii: "M") where rest.first == UInt8(ascii: "-") && rest.count > 1:
        rest.removeFirst()
        result.append(0x1B)
      default: result.append(byte)
      }
    }
    return result
  }

  private static func escape(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
    guard let byte = rest.popFirst() else { return nil }
    guard byte & 0xF8 == UInt8(ascii: "0") else {
      return escapes[Unicode.Scalar(byte)] ?? byte
    }
    var value = Int(byte & 7)
    for _ in 0..<2 {
      guard let digit = rest.first, digit & 0xF8 == UInt8(ascii: "0") else { break }
      value = value * 8 + Int(digit & 7)
      rest.removeFirst()
    }
    return UInt8(exactly: value)
  }

  private static let escapes: [Unicode.Scalar: UInt8] = [
    "a": 0x07, "b": 0x08, "t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D, "e": 0x1B,
    "E": 0x1B,
  ]
}
