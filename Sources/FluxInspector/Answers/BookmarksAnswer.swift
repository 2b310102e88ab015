import FluxLog

/// The bookmarks: `{"bookmarks":[{"name","step"}]}`.
struct BookmarksAnswer: Answer {
  struct Entry: Sendable {
    let name: String
    /// The number of the step; nil before a step 0.
    let number: UInt64?
    /// The type of its action; nil before the first step.
    let type: String?
  }

  let entries: [Entry]

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("bookmarks")
    json.writer.beginArray()
    for entry in entries { json.writer.bookmark(entry) }
    json.writer.endArray()
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    for entry in entries { try text.bookmark(entry) }
    if entries.isEmpty { try text.line("no bookmarks", .dim) }
  }
}

/// The bookmark that was set: `{"name","step"}`.
struct BookmarkAnswer: Answer {
  let entry: BookmarksAnswer.Entry

  func write(to json: inout JSONOutput) throws { json.writer.bookmark(entry) }

  func write(to text: inout TextOutput) throws { try text.bookmark(entry) }
}

extension JSONWriter {
  fileprivate mutating func bookmark(_ entry: BookmarksAnswer.Entry) {
    beginObject()
    member("name", entry.name)
    name("step")
    stepNumber(entry.number)
    endObject()
  }
}

extension TextOutput {
  fileprivate mutating func bookmark(_ entry: BookmarksAnswer.Entry) throws {
    write("$\(entry.name) ", .heading)
    write(entry.number.map(String.init) ?? "-1", .number)
    try line(" \(entry.type ?? "start")", .action)
  }
}

extension Session {
  /// What is to be said of a bookmark.
  func entry(_ bookmark: Bookmark) throws(LogError) -> BookmarksAnswer.Entry {
    BookmarksAnswer.Entry(
      name: bookmark.name, number: stepNumber(at: bookmark.position),
      type: try log.type(at: bookmark.position))
  }
}
