package import FluxJSON
import FluxLog

/// Shortens and escapes values for messages.
package enum Excerpt {
  /// Returns a value as text; a long one is cut off, with its length added.
  package static func text(of value: JSON, limit: Int = 200) -> String {
    let text = printable(value.description)
    guard text.unicodeScalars.count > limit else { return text }
    let kept = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    return "\(kept)… (\(text.utf8.count) bytes)"
  }

  /// Returns the value; one that nests too deeply for a report becomes text.
  static func shallow(_ value: JSON) -> JSON {
    // Reports and answers add less than ten levels.
    value.depth < JSON.maximumDepth - 10 ? value : .init(stringLiteral: text(of: value))
  }

  /// Returns a text from a log with control characters escaped, so that a terminal does not obey them.
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
    // Format characters can reverse the direction of the following text.
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
