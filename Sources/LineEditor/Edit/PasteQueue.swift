/// What was pasted and is not handed out yet.
///
/// Pasted text never acts as keys. A paste of several lines is handed out line by line, as if each
/// had been typed and accepted; what follows the last line end is left in the next line to edit.
struct PasteQueue: Equatable {
  /// Whole lines that are to be handed out.
  private(set) var lines: ArraySlice<String> = []
  /// What goes into the line that is edited next.
  private(set) var remainder = ""

  /// Takes a paste.
  ///
  /// The first of its lines goes into the line that is edited; whether that line is then whole is
  /// the second value.
  mutating func take(_ bytes: [UInt8]) -> (insertion: String, isWhole: Bool) {
    var parts = Self.lines(of: bytes).map(Self.typeable)
    guard parts.count > 1, let last = parts.popLast() else { return (parts.first ?? "", false) }
    lines = parts.dropFirst()
    remainder = last
    return (parts.first ?? "", true)
  }

  /// The next whole line.
  mutating func nextLine() -> String? {
    lines.popFirst()
  }

  /// The text that begins the line to edit now.
  mutating func takeRemainder() -> String? {
    guard lines.isEmpty, !remainder.isEmpty else { return nil }
    defer { remainder = "" }
    return remainder
  }

  /// Forgets everything.
  mutating func clear() {
    self = PasteQueue()
  }

  /// The lines, cut at each return or line feed.
  ///
  /// A terminal in our mode swaps the two, so a pair of them in either order is one line end.
  private static func lines(of bytes: [UInt8]) -> [Substring] {
    let (feed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    var lines: [Substring] = []
    var line: [UInt8] = []
    var previous: UInt8?
    for byte in bytes {
      let isEnd = byte == feed || byte == carriageReturn
      if isEnd, let other = previous, other != byte {
        previous = nil
        continue
      }
      previous = isEnd ? byte : nil
      if isEnd {
        lines.append(Substring(decoding: line, as: UTF8.self))
        line = []
      } else {
        line.append(byte)
      }
    }
    return lines + [Substring(decoding: line, as: UTF8.self)]
  }

  /// The text without what drives terminals; a tab becomes a space.
  private static func typeable(_ text: Substring) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\t" {
        result.append(" ")
      } else if !scalar.drivesTerminals {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
