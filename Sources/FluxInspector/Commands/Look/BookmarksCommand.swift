/// The command `bookmarks`.
struct BookmarksCommand: Command {
  let name = "bookmarks"
  let group = CommandGroup.look
  let synopsis = "bookmarks"
  let summary = "list the bookmarks"
  let help = "They stand in the order in which they were set."
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let session = session
    return BookmarksAnswer(entries: try session.bookmarks.map { try session.entry($0) })
  }
}
