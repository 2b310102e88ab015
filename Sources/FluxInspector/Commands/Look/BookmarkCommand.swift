/// The command `bookmark NAME`.
struct BookmarkCommand: Command {
  let name = "bookmark"
  let group = CommandGroup.look
  let synopsis = "bookmark NAME"
  let summary = "give this position a name"
  let help = """
    'goto $NAME' leads back here. A name has letters, digits, '_', '-' and '.'; it stands wherever a position may: goto $login, \
    list $login..end. A name that is there already is moved here.
    """
  let examples = ["bookmark login"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.bookmark]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let word = arguments.words.first else { throw arguments.usage("a name is missing") }
    // Where a bookmark is completed it has the sign that leads to it.
    let name = word.hasPrefix("$") ? String(word.dropFirst()) : word
    guard Bookmark.isName(name) else {
      throw arguments.usage(
        "\(word) is no name", hint: "a name has letters, digits, '_', '-' and '.'")
    }
    let bookmark = Bookmark(name: name, position: session.position)
    if let place = session.bookmarks.firstIndex(where: { $0.name == name }) {
      let former = session.stepText(at: session.bookmarks[place].position)
      session.notes.append("$\(name) was step \(former) before")
      session.bookmarks[place] = bookmark
    } else {
      session.bookmarks.append(bookmark)
    }
    return BookmarkAnswer(entry: try session.entry(bookmark))
  }
}
