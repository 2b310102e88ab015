/// Finds the member `at` in the line of a step, without parsing the line.
///
/// The index passes all lines once, and the member stands before the states, which are most of a line.
enum SourceMember {
  private static let name = Array("at".utf8)

  /// The text of the member; nil if the line has none, or one with an escape, which no source line has.
  static func text(in line: [UInt8]) -> String? {
    var depth = 0
    var place = 0
    while place < line.count {
      switch line[place] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        let start = place + 1
        guard let end = endOfString(in: line, from: start) else { return nil }
        place = end
        // A string before a colon is a name.
        guard depth == 1, end - start == name.count, line[start..<end].elementsEqual(name),
          let value = valueStart(in: line, from: end + 1)
        else { break }
        guard let close = endOfString(in: line, from: value) else { return nil }
        let text = line[value..<close]
        return text.contains(UInt8(ascii: "\\")) ? nil : String(decoding: text, as: UTF8.self)
      default: break
      }
      place += 1
    }
    return nil
  }

  /// The place of the quote that ends a string.
  private static func endOfString(in line: [UInt8], from start: Int) -> Int? {
    var place = start
    while place < line.count {
      switch line[place] {
      case UInt8(ascii: "\\"): place += 2
      case UInt8(ascii: "\""): return place
      default: place += 1
      }
    }
    return nil
  }

  /// The start of a string after a colon; nil if there is none.
  private static func valueStart(in line: [UInt8], from start: Int) -> Int? {
    var place = start
    var hasColon = false
    while place < line.count {
      switch line[place] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): break
      case UInt8(ascii: ":") where !hasColon: hasColon = true
      case UInt8(ascii: "\"") where hasColon: return place + 1
      default: return nil
      }
      place += 1
    }
    return nil
  }
}
