import FluxJSON
import FluxSystem

/// The text of a message, which every client can read.
///
/// JSON allows more than clients do: a lone surrogate, a number beyond the range of a double, or a thousand levels leave some
/// of them waiting for ever. What a client may not read exactly becomes a text.
enum WireText {
  /// The deepest level of a message, below the 150 that every client reads.
  private static let deepest = 140
  /// The largest integer that a double holds exactly.
  private static let largestInteger = 9_007_199_254_740_992.0
  private static let longestNumber = 400

  /// Appends a value of a message that is inside this many arrays and objects.
  static func append(_ json: JSON, to writer: inout JSONWriter, level: Int) {
    switch json.kind {
    case .null, .bool: writer.raw(json)
    case .number:
      if isExact(json) { writer.raw(json) } else { append(text: json.text, to: &writer) }
    case .string: writer.raw(shown(string: json.text).text.utf8)
    case .array:
      guard level < deepest else { return append(text: json.text, to: &writer) }
      writer.beginArray()
      for element in json.elements { append(element, to: &writer, level: level + 1) }
      writer.endArray()
    case .object:
      guard level < deepest, !json.repeatsName, !json.repeatsShownName else {
        return append(text: json.text, to: &writer)
      }
      writer.beginObject()
      for member in json.members {
        writer.name(verbatim: shown(string: JSON(stringLiteral: member.name).text).text)
        append(member.value, to: &writer, level: level + 1)
      }
      writer.endObject()
    }
  }

  private static func append(text: String, to writer: inout JSONWriter) {
    writer.raw(shown(string: JSON(stringLiteral: text).text).text.utf8)
  }

  private static func isExact(_ number: JSON) -> Bool {
    guard let value = number.number, value.text.utf8.count <= longestNumber else { return false }
    let double = abs(value.double)
    // Infinity is larger, and a double has no number between 0 and 5e-324.
    return double < largestInteger && (double > 0 || value.int64 == 0)
  }

  // MARK: Texts

  /// Returns the text of a JSON string with escapes for everything that does not show, and lone surrogates as text;
  /// `hasHalves` is `true` if there are such surrogates, which some clients do not read.
  static func shown(string text: String) -> (text: String, hasHalves: Bool) {
    guard !text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
      return (text, false)
    }
    var result = ""
    var hasHalves = false
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.append(shown: scalar)
        continue
      }
      guard let letter = rest.popFirst() else { break }
      guard letter == "u" else {
        result += "\\\(letter)"
        continue
      }
      let digits = String(String.UnicodeScalarView(rest.prefix(4)))
      rest = rest.dropFirst(4)
      guard let unit = UInt16(digits, radix: 16),
        UTF16.isLeadSurrogate(unit) || UTF16.isTrailSurrogate(unit)
      else {
        result += "\\u\(digits)"
        continue
      }
      let other = String(String.UnicodeScalarView(rest.prefix(6)))
      let isPair =
        UTF16.isLeadSurrogate(unit) && other.hasPrefix("\\u")
        && UInt16(other.dropFirst(2), radix: 16).map(UTF16.isTrailSurrogate) == true
      result += isPair ? "\\u\(digits)\(other)" : "\\\\u\(digits)"
      if isPair { rest = rest.dropFirst(6) } else { hasHalves = true }
    }
    return (result, hasHalves)
  }

  /// Returns the text of a JSON value in which everything shows; it has the same meaning.
  static func printable(_ json: JSON) -> String {
    let text = json.text
    guard !text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      // Between values there may be blanks; inside a string they are escapes already.
      if scalar == "\n" || scalar == "\t" || scalar == "\r" {
        result += " "
      } else {
        result.append(shown: scalar)
      }
    }
  }
}

extension String {
  /// The text with escapes for what does not show, and with its lines.
  var printableText: String { printableLines(as: .json) }

  /// Appends a scalar inside a JSON string, as an escape if it does not show.
  fileprivate mutating func append(shown scalar: Unicode.Scalar) {
    if scalar.isPrintable {
      unicodeScalars.append(scalar)
    } else {
      self += scalar.escape(as: .json)
    }
  }
}

extension JSON {
  /// `true` if two members have the same name for a client, because they differ in lone surrogates alone.
  fileprivate var repeatsShownName: Bool {
    guard members.contains(where: { $0.name.unicodeScalars.contains("\u{FFFD}") }) else {
      return false
    }
    var names: Set<[UInt8]> = []
    return members.contains { !names.insert(Array($0.name.utf8)).inserted }
  }
}
