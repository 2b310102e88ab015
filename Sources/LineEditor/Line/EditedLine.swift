/// A line that is being edited.
package struct EditedLine: Equatable, Sendable {
  package var text: String
  /// The cursor: an index of `text` at the start of a Unicode scalar.
  package var cursor: String.Index

  /// Creates a line with a cursor, by default at its end.
  package init(_ text: String, cursor: String.Index? = nil) {
    self.text = text
    self.cursor = cursor ?? text.endIndex
  }

  /// Creates a line whose cursor is given as a count of UTF-8 bytes.
  init(_ text: String, cursorByte: Int) {
    let index = text.utf8.index(text.startIndex, offsetBy: cursorByte, limitedBy: text.endIndex)
    self.init(text, cursor: index)
  }

  package var beforeCursor: Substring { text[..<cursor] }

  /// The cursor as a count of scalars.
  var cursorScalar: Int { text.unicodeScalars.distance(from: text.startIndex, to: cursor) }

  /// Replaces a part of the line, and puts the cursor after the new text.
  package func replacing(_ range: Range<String.Index>, with text: String) -> EditedLine {
    let start = self.text[..<range.lowerBound] + text
    return EditedLine(
      String(start + self.text[range.upperBound...]), cursorByte: start.utf8.count)
  }
}

/// The result of reading a line.
package enum LineResult: Equatable, Sendable {
  /// A line without its line end.
  case line(String)
  /// The user pressed Ctrl-C.
  case interrupted
  /// The input has ended.
  case endOfInput
}
