import FluxCore

extension TextState {
  /// Applies edits in order, and puts the cursor after the last one.
  ///
  /// - Parameter edits: The edits.
  /// - Returns: The edits that revert these.
  /// - Throws: A rejection if an edit is outside the text.
  mutating func make(_ edits: [TextEdit]) throws -> [TextEdit] {
    var inverse: [TextEdit] = []
    for edit in edits { inverse.append(try make(edit)) }
    return inverse.reversed()
  }

  private mutating func make(_ edit: TextEdit) throws -> TextEdit {
    guard edit.delete >= 0, let start = position(of: edit.at),
      let end = position(of: edit.at + edit.delete, from: start, at: edit.at)
    else {
      throw Rejection("there are no \(edit.delete) characters at \(edit.at) of the text")
    }
    let deleted = text(from: start, to: end)
    replace(from: start, to: end, with: edit.insert)
    let length = edit.insert.unicodeScalars.count
    cursor = position(of: edit.at + length, from: start, at: edit.at) ?? start
    return TextEdit(at: edit.at, delete: length, insert: deleted)
  }

  /// The place of an offset; nil if the text is shorter.
  func position(of offset: Int) -> Cursor? {
    guard offset >= 0 else { return nil }
    return position(of: offset, from: Cursor(), at: 0)
  }

  /// Finds the place of an offset by walking from a place with a known offset.
  private func position(of offset: Int, from start: Cursor, at startOffset: Int) -> Cursor? {
    var line = start.line
    var column = start.column + offset - startOffset
    while line < lines.count {
      let length = lines[line].unicodeScalars.count
      if column <= length { return Cursor(line: line, column: column) }
      column -= length + 1
      line += 1
    }
    return nil
  }

  private func text(from start: Cursor, to end: Cursor) -> String {
    guard start.line < end.line else {
      let scalars = lines[start.line].unicodeScalars
      return String(scalars.dropFirst(start.column).prefix(end.column - start.column))
    }
    let first = String(lines[start.line].unicodeScalars.dropFirst(start.column))
    let last = String(lines[end.line].unicodeScalars.prefix(end.column))
    return ([first] + lines[(start.line + 1)..<end.line] + [last]).joined(separator: "\n")
  }

  private mutating func replace(from start: Cursor, to end: Cursor, with text: String) {
    let head = String(lines[start.line].unicodeScalars.prefix(start.column))
    let tail = String(lines[end.line].unicodeScalars.dropFirst(end.column))
    lines.replaceSubrange(start.line...end.line, with: (head + text + tail).lines)
  }
}

extension String {
  /// The lines between line feeds; a carriage return is an ordinary character here.
  fileprivate var lines: [String] {
    unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
