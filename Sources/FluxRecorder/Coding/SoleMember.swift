/// The byte ranges of the name and value of an object's only member, in JSON without whitespace.
///
/// Enums encode as such an object. Parsing the object instead would take a third of the time that
/// it takes to encode a small action.
struct SoleMember {
  /// The range between the quotes.
  let name: Range<Int>
  let value: Range<Int>

  /// Finds the only member of an object; nil if the text is not an object with exactly one member.
  ///
  /// - Parameter text: Valid JSON.
  init?<Text: Collection>(of text: Text) where Text.Element == UInt8, Text.Index == Int {
    guard text.count > 4, text[0] == UInt8(ascii: "{"), text[1] == UInt8(ascii: "\"") else {
      return nil
    }
    let nameEnd = Self.stringEnd(in: text, from: 2)
    let valueEnd = text.count - 1
    guard nameEnd + 2 < valueEnd, !Self.hasComma(text, nameEnd + 2..<valueEnd) else { return nil }
    name = 2..<nameEnd
    value = nameEnd + 2..<valueEnd
  }

  /// Returns the position of a string's closing quote.
  private static func stringEnd<Text: Collection>(
    in text: Text, from start: Int
  ) -> Int where Text.Element == UInt8, Text.Index == Int {
    var place = start
    while place < text.count, text[place] != UInt8(ascii: "\"") {
      place += text[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return place
  }

  /// Returns `true` if the range has a comma outside of strings and nested containers.
  ///
  /// Such a comma precedes another member.
  private static func hasComma<Text: Collection>(
    _ text: Text, _ range: Range<Int>
  ) -> Bool where Text.Element == UInt8, Text.Index == Int {
    var depth = 0
    var place = range.lowerBound
    while place < range.upperBound {
      switch text[place] {
      case UInt8(ascii: "\""): place = stringEnd(in: text, from: place + 1)
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth == 0: return true
      default: break
      }
      place += 1
    }
    return false
  }
}
