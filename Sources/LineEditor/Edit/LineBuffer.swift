/// A line that is being edited.
package struct LineBuffer: Equatable, Sendable {
  package var text: String
  /// Where the cursor is: an index of `text`, at the start of a Unicode scalar.
  package var cursor: String.Index

  /// Makes a line with the cursor at a place, at its end where none is given.
  package init(_ text: String, cursor: String.Index? = nil) {
    self.text = text
    self.cursor = cursor ?? text.endIndex
  }

  /// Makes a line whose cursor is after so many bytes of UTF-8.
  init(_ text: String, cursorByte: Int) {
    let index = text.utf8.index(text.startIndex, offsetBy: cursorByte, limitedBy: text.endIndex)
    self.init(text, cursor: index)
  }

  /// What stands before the cursor.
  package var beforeCursor: Substring { text[..<cursor] }

  /// The cursor as a count of scalars.
  var cursorScalar: Int { text.unicodeScalars.distance(from: text.startIndex, to: cursor) }

  /// The line with a part of it replaced, and the cursor behind what came in.
  package func replacing(_ range: Range<String.Index>, with text: String) -> LineBuffer {
    let start = self.text[..<range.lowerBound] + text
    return LineBuffer(start + self.text[range.upperBound...], cursorByte: start.utf8.count)
  }

  private init(_ text: Substring, cursorByte: Int) {
    self.init(String(text), cursorByte: cursorByte)
  }
}
