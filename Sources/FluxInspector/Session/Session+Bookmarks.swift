import FluxLog

/// A name for a position.
struct Bookmark: Sendable, Equatable {
  let name: String
  /// The position, as `Timeline` counts.
  let position: Int

  /// Returns `true` for letters, digits, `_`, `-` and `.` behind a letter or `_`, but no `..`, which would end the name in
  /// a range.
  static func isName(_ text: String) -> Bool {
    text.unicodeScalars.first.map { $0.properties.isAlphabetic || $0 == "_" } ?? false
      && !text.contains("..")
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || scalar == "_" || scalar == "-" || scalar == "."
      }
  }
}

extension Session {
  /// Removes a bookmark.
  ///
  /// - Throws: ``CommandError`` if there is none of that name.
  public mutating func removeBookmark(_ name: String) throws {
    guard let place = namedPositions.firstIndex(where: { $0.name == name }) else {
      throw missingBookmark(name)
    }
    namedPositions.remove(at: place)
  }

  /// Gives the position here a name; moves a bookmark that exists.
  public mutating func addBookmark(
    _ name: String, at position: Position = .here
  ) throws -> BookmarkEntry {
    guard Bookmark.isName(name) else {
      throw CommandError(
        .usage, "\(name) is not a name",
        hint:
          "a name begins with a letter or '_', and contains only letters, digits, '_', '-' and '.'")
    }
    let resolved = try resolve(position)
    let bookmark = Bookmark(name: name, position: resolved.position)
    var entry = entry(bookmark)
    entry.notes += resolved.notes
    if let place = namedPositions.firstIndex(where: { $0.name == name }) {
      entry.notes.append("$\(name) was step \(number(at: namedPositions[place].position)) before")
      namedPositions[place] = bookmark
    } else {
      namedPositions.append(bookmark)
    }
    return entry
  }

  /// All bookmarks, oldest first.
  public func bookmarks() -> BookmarkList {
    BookmarkList(bookmarks: namedPositions.map { entry($0) })
  }

  private func entry(_ bookmark: Bookmark) -> BookmarkEntry {
    BookmarkEntry(
      name: bookmark.name, step: number(at: bookmark.position),
      type: log.type(at: bookmark.position))
  }
}
