import FluxInspector

extension Command {
  static let bookmark = Command(
    "bookmark", group: .look, synopsis: "bookmark NAME [POS] | -d NAME",
    summary: "Name this position, or another one",
    help: """
      'goto $NAME' leads back here. A name consists of letters, digits, '_', '-' and '.', and begins with a letter \
      or '_'. You can write it wherever a position is expected: goto $login, list $login..end. An existing name moves \
      here, and -d removes one.
      """,
    examples: ["bookmark login", "bookmark crash end", "bookmark -d login"],
    options: [CommandOption("-d", "Remove the bookmark")], arguments: .words(2),
    completions: [.bookmark, .position]
  ) { arguments, console in
    let word = try arguments.word("a name")
    // A completed bookmark begins with the `$` of its position.
    let name = word.hasPrefix("$") ? String(word.dropFirst()) : word
    if arguments.has("-d") {
      guard arguments.words.count == 1 else { throw arguments.usage("too many arguments") }
      try console.session.removeBookmark(name)
      return Reply(Done()) { _, _ in }
    }
    let position = try arguments.words.dropFirst().first.map { try arguments.position($0) }
    return Reply(
      try arguments.checking { try console.session.addBookmark(name, at: position ?? .here) }
    ) {
      try $1.bookmark($0)
    }
  }

  static let bookmarks = Command(
    "bookmarks", group: .look, summary: "List the bookmarks",
    help: "They are listed in the order in which they were added."
  ) { arguments, console in
    Reply(console.session.bookmarks()) { list, text in
      for bookmark in list.bookmarks { try text.bookmark(bookmark) }
      if list.bookmarks.isEmpty { try text.line("no bookmarks", .dim) }
    }
  }

  static let marks = Command(
    "marks", group: .look, summary: "List the notes that the app made",
    help: """
      Each line shows the last step before the note, its text, and its time in seconds since the log was created. An \
      app makes a note with the recorder: recorder.mark("the customer is asked to pay").
      """
  ) { arguments, console in
    Reply(try console.session.marks()) { mark, _, text in
      text.write("\(mark.after)", .number)
      text.write(" \(mark.type ?? "start")", .action)
      text.write(": \(mark.text)")
      try text.line(" +\(mark.t)s", .dim)
    } end: { _, count, text in
      if count == 0 { try text.line("no marks", .dim) }
    }.ofRecording("marks", console)
  }
}

extension TextOutput {
  fileprivate mutating func bookmark(_ bookmark: BookmarkEntry) throws {
    write("$\(bookmark.name) ", .heading)
    write("\(bookmark.step)", .number)
    try line(" \(bookmark.type ?? "start")", .action)
  }
}
