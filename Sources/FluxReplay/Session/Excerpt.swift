package import FluxLog

/// The beginning of a value, for messages.
package enum Excerpt {
  /// The text of a value without blanks; of a long one the beginning, and how long it is.
  package static func text(of value: JSON, limit: Int = 200) -> String {
    let text = printable(value.description)
    guard text.unicodeScalars.count > limit else { return text }
    let kept = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    return "\(kept)… (\(text.utf8.count) bytes)"
  }

  /// The value; one that nests so deep that nothing may stand around it, as text.
  package static func shallow(_ value: JSON) -> JSON {
    // Reports and answers put less than ten levels around it.
    value.depth < JSON.maximumDepth - 10 ? value : .init(stringLiteral: text(of: value))
  }

  /// A text that comes from a log, without characters that a terminal would obey.
  package static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isControl(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    // Formats reverse the direction of what follows.
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
