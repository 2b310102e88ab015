/// The positions that a session has stood at, in the manner of a browser's history.
struct JumpHistory: Sendable {
  private var positions: [Int]
  private var place = 0

  init(start: Int) { positions = [start] }

  /// The position that the session stands at.
  var current: Int { positions[place] }

  /// Takes in a move; to stay is none.
  ///
  /// Moves that were undone are forgotten.
  mutating func append(_ position: Int) {
    guard position != current else { return }
    positions.removeSubrange((place + 1)...)
    positions.append(position)
    place += 1
  }

  /// Goes back by one move; returns whether there was one.
  mutating func undo() -> Bool {
    guard place > 0 else { return false }
    place -= 1
    return true
  }

  /// Goes forward by one move that was undone; returns whether there was one.
  mutating func redo() -> Bool {
    guard place + 1 < positions.count else { return false }
    place += 1
    return true
  }
}
