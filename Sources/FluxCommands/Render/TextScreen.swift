import FluxSystem

/// The terminal that text is written for.
///
/// Lines with values are cut to its width, and states are folded to its height. Without one, for a file or a pipe, text is
/// whole.
public struct TextScreen: Sendable {
  /// The number of columns.
  public let columns: Int
  /// The number of rows.
  public let rows: Int
  /// The number of columns that a character takes.
  public let width: @Sendable (Character) -> Int

  /// Describes a terminal; a negative number of columns or rows is 0.
  public init(columns: Int, rows: Int, width: @escaping @Sendable (Character) -> Int) {
    (self.columns, self.rows, self.width) = (max(0, columns), max(0, rows), width)
  }

  /// The number of columns that a text takes.
  func width(of text: String) -> Int { text.reduce(0) { $0 + width($1) } }

  /// The text, or its beginning and an ellipsis if it takes more columns.
  func cut(_ text: String, to columns: Int) -> String {
    var room = columns
    var beginning = ""
    var fits = ""
    for character in text {
      room -= width(character)
      guard room >= 0 else { return fits + "…" }
      beginning.append(character)
      // One column stays for the ellipsis.
      if room > 0 { fits = beginning }
    }
    return text
  }

  /// The last characters of a text that take no more columns.
  func end(of text: String, columns: Int) -> String {
    var end = ""
    var room = columns
    for character in text.reversed() {
      room -= width(character)
      guard room >= 0 else { break }
      end.insert(character, at: end.startIndex)
    }
    return end
  }

  /// The text, or its beginning and its end with an ellipsis between them if it takes more columns.
  func cutInside(_ text: String, to columns: Int) -> String {
    guard width(of: text) > columns else { return text }
    let end = end(of: text, columns: max(0, (columns - 1) / 2))
    return cut(text, to: max(1, columns - width(of: end))) + end
  }
}

extension TextOutput {
  /// The text, which has no line end, as it fits on the line before a tail; the whole text if nothing limits the line.
  package func fitted(_ text: String, before tail: String = "") -> String {
    guard let screen else { return text }
    let left = screen.columns - column
    // At least a few columns, so that something is seen of a value before a long tail.
    let room = min(left, max(8, left - screen.width(of: tail.printable(as: .json))))
    return room > 0 ? screen.cut(text.printable(as: .json), to: room) : ""
  }

  /// The name, of which both ends matter, as it fits on the line and leaves a few columns for a value or a reason.
  package func fittedName(_ name: String) -> String {
    guard let screen else { return name }
    return screen.cutInside(name.printable(as: .json), to: max(4, screen.columns - column - 12))
  }

  /// `false` if the line ends before a text does.
  func hasRoom(for text: @autoclosure () -> String) -> Bool {
    guard let screen else { return true }
    return column + screen.width(of: text().printable(as: .json)) <= screen.columns
  }

  /// A text behind another one, of which at least half of what is left of the line stays.
  package func tail(of text: String?) -> String {
    guard let screen, let text else { return text ?? "" }
    return screen.cut(text, to: max(8, (screen.columns - column) / 2))
  }
}
