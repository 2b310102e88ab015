/// How an entry of the history stands in its file: one line, with `\\`, `\n`, `\r` and `\0` for what
/// would not be one.
enum HistoryEntry {
  /// The line for an entry, without a line feed.
  static func line(for entry: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in entry.unicodeScalars {
      switch scalar {
      case "\\": line.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": line.append(contentsOf: "\\n".unicodeScalars)
      case "\r": line.append(contentsOf: "\\r".unicodeScalars)
      case "\0": line.append(contentsOf: "\\0".unicodeScalars)
      default: line.append(scalar)
      }
    }
    return String(line)
  }

  /// The entry of a line.
  ///
  /// A backslash before anything else stands for itself.
  static func entry(of line: String) -> String {
    var entry = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in line.unicodeScalars {
      guard isEscaped else {
        if scalar == "\\" { isEscaped = true } else { entry.append(scalar) }
        continue
      }
      isEscaped = false
      switch scalar {
      case "\\": entry.append("\\")
      case "n": entry.append("\n")
      case "r": entry.append("\r")
      case "0": entry.append("\0")
      default: entry.append(contentsOf: ["\\", scalar])
      }
    }
    if isEscaped { entry.append("\\") }
    return String(entry)
  }

  /// The last entries of a file's bytes, oldest first, each once: where it came last.
  static func last(_ limit: Int, of bytes: [UInt8]) -> [String] {
    var seen: Set<String> = []
    var newestFirst: [String] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")).reversed() {
      guard newestFirst.count < limit else { break }
      let entry = entry(of: String(decoding: line, as: UTF8.self))
      if seen.insert(entry).inserted { newestFirst.append(entry) }
    }
    return newestFirst.reversed()
  }
}
