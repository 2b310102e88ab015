import FluxInspector
import FluxJSON

extension Command {
  static let diff = Command(
    "diff", aliases: ["d"], group: .look,
    synopsis: "diff [A] [B] [--store S] [--patch|--stat|--identity]",
    summary: "Show what this step changed, or how two steps differ",
    help: """
      Without a position: the changes of this step. With one: the differences between it and here. Applied one \
      after the other, the changes turn A into B. diff A..B is the same as diff A B; A.. ends at the end of the log, and \
      ..B begins at its start.

      The text shows elements of arrays by their identity: added, removed, moved or changed. An array has \
      identities if all its elements are objects whose id is a unique string or number. If there is no id, then \
      key, uuid or name is used. 'set identity todos.items=tag' names another member. Strings are compared word by \
      word, and multi-line strings line by line. Removed elements are shown with their old index. \
      --identity adds the elements to JSON.

      On a fork and without a position: the changes of its step here. After a gap, changes are relative to the \
      last known states; so are those after states that the recorder left out because it was behind.
      """,
    examples: ["diff", "diff -5", "diff 3..7", "diff start end --store todos", "diff 3 7 --patch"],
    options: [
      CommandOption("--store", value: "S", "Only this store", completion: .store),
      CommandOption("--patch", "As a JSON Patch (RFC 6902)"),
      CommandOption("--identity", "In JSON, list array elements by identity"),
      CommandOption("--stat", "Only the number of changes of each store"),
    ],
    arguments: .words(2), completions: [.position]
  ) { arguments, console in
    let (isPatch, isStat) = (arguments.has("--patch"), arguments.has("--stat"))
    let isIdentity = arguments.has("--identity")
    if [isPatch, isStat, isIdentity].count(where: { $0 }) > 1 {
      throw arguments.usage("--patch, --stat and --identity exclude each other")
    }
    var difference = try difference(arguments, console.session)
    difference.form = isPatch ? .patch : isStat ? .counts : isIdentity ? .elements : .changes
    let reply = Reply(difference) { try $1.difference($0) }
    return arguments.words.isEmpty ? reply : reply.ofRecording("diff", console)
  }

  private static func difference(
    _ arguments: CommandArguments, _ session: Session
  ) throws -> FluxInspector.Difference {
    let store = arguments.value(of: "--store")
    guard let first = arguments.words.first else { return try session.difference(in: store) }
    // A position alone would be a range as well.
    if first.contains("..") || (Position(first) == nil && PositionRange(first) != nil) {
      guard arguments.words.count == 1 else {
        throw arguments.usage("\(first) is a range, so nothing can follow it")
      }
      let range = try arguments.range(first)
      return try session.difference(
        from: range.from ?? .start, to: range.through ?? .end, in: store)
    }
    return try session.difference(
      from: try arguments.position(first),
      to: try arguments.words.dropFirst().first.map { try arguments.position($0) } ?? .here,
      in: store)
  }
}

extension TextOutput {
  /// Writes differences in their form.
  mutating func difference(_ difference: FluxInspector.Difference) throws {
    guard difference.form != .patch else {
      return try value(try LogEncoder(order: .declaration).encode(difference.patch))
    }
    let (from, to) = (difference.from, difference.to)
    let (unwritten, unrecorded) = (difference.unwritten ?? [], difference.notRecorded ?? [])
    let isEmpty = difference.changes.isEmpty && unwritten.isEmpty && unrecorded.isEmpty
    let nothing = isEmpty ? ": nothing differs" : ""
    let start = difference.restored == nil ? "" : "the model that the app went back to after "
    try line("from \(start)step \(from) to step \(to)\(nothing)", .heading)
    if difference.form == .counts {
      for counts in difference.counts { try self.counts(counts) }
    } else {
      try entries(difference.readable)
    }
    for store in unwritten {
      write(store, .path)
      try line(" changed; its new state is not written here", .dim)
    }
    for store in unrecorded {
      write(store, .path)
      try line(": not recorded", .dim)
    }
  }

  private mutating func counts(_ counts: FluxInspector.Difference.Counts) throws {
    write(counts.store, .path)
    if counts.added > 0 { write(" +\(counts.added)", .added) }
    if counts.removed > 0 { write(" -\(counts.removed)", .removed) }
    if counts.replaced > 0 { write(" ~\(counts.replaced)", .changed) }
    try endLine()
  }
}
