/// How many rows of the screen a text fills, as it comes in pieces.
struct ScreenRows {
  private let columns: Int
  private(set) var count = 0
  private var column = 0
  private var isInSequence = false

  init(columns: Int) {
    self.columns = max(1, columns)
  }

  /// Takes a piece.
  ///
  /// Sequences of colour take no room.
  mutating func feed(_ text: String) {
    for character in text {
      switch character {
      case "\n", "\r\n":
        count += 1
        column = 0
      case "\u{1B}": isInSequence = true
      case _ where isInSequence: isInSequence = !character.isLetter
      default:
        column += ColumnWidth.of(character)
        guard column > columns else { continue }
        count += 1
        column = ColumnWidth.of(character)
      }
    }
  }
}
