import FluxJSON
import FluxLog

/// A row of the state: a store, or a value in it.
struct StateRow: Sendable, Equatable {
  /// The forms of a row.
  enum Fold: Sendable, Equatable {
    /// A value without parts.
    case leaf
    case open
    case closed
  }

  /// A JSON Pointer from the model.
  let path: String
  let depth: Int
  let name: String
  let value: String
  let fold: Fold
  /// `true` if the step changed the value or a part of it.
  let isChanged: Bool
}

/// The states of all stores as rows that fold.
///
/// Objects and arrays near the top are unfolded as long as they are small; the user's choices override that.
struct StateTree: Sendable, Equatable {
  /// The depth, the number of parts and of rows up to which a value is unfolded unasked.
  private static let unasked = (depth: 3, parts: 20, rows: 300)
  /// The parts of an unfolded value that become rows.
  private static let mostParts = 2000
  private static let longestValue = 400

  private(set) var rows: [StateRow] = []

  init(rows: [StateRow] = []) { self.rows = rows }

  /// Lays out the states of stores, each with its state, or with the reason why there is none.
  ///
  /// `folds` has the user's choices by path, `true` to unfold; `changed` has what the step changed, and all paths above.
  init(
    _ stores: [(name: String, state: JSON?, note: String)], _ folds: [BytewiseName: Bool],
    changed: Set<BytewiseName>
  ) {
    for store in stores {
      let path = Self.path("", store.name)
      if let state = store.state {
        add(state, name: store.name, path: path, depth: 0, folds, changed)
      } else {
        append(path, 0, store.name, store.note, .leaf, changed)
      }
    }
  }

  private mutating func add(
    _ value: JSON, name: String, path: String, depth: Int, _ folds: [BytewiseName: Bool],
    _ changed: Set<BytewiseName>
  ) {
    let count = value.count
    guard count > 0 else {
      return append(path, depth, name, value.excerpt(Self.longestValue), .leaf, changed)
    }
    let isSmall =
      depth < Self.unasked.depth && count <= Self.unasked.parts && rows.count < Self.unasked.rows
    let summary = value.kind == .array ? "[\(count)]" : "{\(count)}"
    guard folds[BytewiseName(path)] ?? isSmall else {
      let text = value.byteCount <= Self.longestValue ? value.text : summary
      return append(path, depth, name, text, .closed, changed)
    }
    append(path, depth, name, summary, .open, changed)
    for part in value.parts.prefix(Self.mostParts) {
      let name = part.step.token
      add(
        part.value, name: name, path: Self.path(path, name), depth: depth + 1, folds, changed)
    }
    guard count > Self.mostParts else { return }
    append(path + "/", depth + 1, "…\(count - Self.mostParts) more", "", .leaf, [])
  }

  private mutating func append(
    _ path: String, _ depth: Int, _ name: String, _ value: String, _ fold: StateRow.Fold,
    _ changed: Set<BytewiseName>
  ) {
    rows.append(
      StateRow(
        path: path, depth: depth, name: name, value: value, fold: fold,
        isChanged: changed.contains(BytewiseName(path))))
  }

  /// The first row that the step changed, as deep as its rows tell; nil if there is none.
  var firstChange: Int? {
    guard var found = rows.firstIndex(where: \.isChanged) else { return nil }
    for row in found + 1..<max(found + 1, rows.count) {
      guard rows[row].depth > rows[found].depth else { break }
      if rows[row].isChanged { found = row }
    }
    return found
  }

  /// The row of the value that holds the one in a row; nil for a store.
  func parent(of row: Int) -> Int? {
    rows[..<row].lastIndex { $0.depth < rows[row].depth }
  }

  /// Adds a name or an index to a JSON Pointer.
  private static func path(_ path: String, _ token: String) -> String {
    path + Pointer(tokens: [token]).description
  }

  /// The paths of changes, and all paths above them.
  static func withParents(_ paths: [String]) -> Set<BytewiseName> {
    var all: Set<BytewiseName> = []
    for path in paths {
      var rest = path[...]
      while !rest.isEmpty, all.insert(BytewiseName(String(rest))).inserted {
        rest = rest.utf8.lastIndex(of: UInt8(ascii: "/")).map { rest[..<$0] } ?? ""
      }
    }
    return all
  }
}
