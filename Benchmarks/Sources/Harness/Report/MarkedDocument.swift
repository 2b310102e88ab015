/// A page, parts of which are written by a program.
///
/// A part stands between `<!-- NAME -->` and `<!-- end of NAME -->`, each on a line of its own.
package struct MarkedDocument {
  /// A part that the page does not have.
  package struct MissingPart: Error, CustomStringConvertible {
    let name: String

    package var description: String {
      "the page has no lines `<!-- \(name) -->` and `<!-- end of \(name) -->`; add them where the part belongs"
    }
  }

  package private(set) var text: String

  package init(_ text: String) { self.text = text }

  /// Writes a part anew.
  package mutating func replace(_ name: String, with content: String) throws(MissingPart) {
    let (opening, closing) = ("<!-- \(name) -->\n", "<!-- end of \(name) -->\n")
    guard let start = text.firstRange(of: opening),
      let end = text[start.upperBound...].firstRange(of: closing)
    else { throw MissingPart(name: name) }
    text.replaceSubrange(start.upperBound..<end.lowerBound, with: "\n\(content)\n")
  }
}
