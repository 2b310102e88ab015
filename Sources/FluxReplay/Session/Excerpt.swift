package import FluxJSON
import FluxSystem

/// Shortens and escapes values for messages.
package enum Excerpt {
  /// Returns a value as text; a long one is cut off, with its length added.
  package static func text(of value: JSON, limit: Int = 200) -> String {
    let text = value.description.printable
    guard text.unicodeScalars.count > limit else { return text }
    let kept = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    return "\(kept)… (\(text.utf8.count) bytes)"
  }

  /// Returns the value; one that nests too deeply for a report becomes text.
  package static func shallow(_ value: JSON) -> JSON {
    // Reports and answers add less than ten levels.
    value.depth < JSON.maximumDepth - 10 ? value : .init(stringLiteral: text(of: value))
  }
}
