import FluxLog

/// The command `export FORMAT FILE`.
struct ExportCommand: Command {
  let name = "export"
  let group = CommandGroup.out
  let synopsis = "export redux|actions|csv FILE [RANGE] [--force]"
  let summary = "write the recording in a form for other tools"
  let help = """
    redux: the lifted state of Redux DevTools, with an action and the whole states for each step; what the \
    recording says of a step besides is in the action's meta. As long as its states together. Made from the \
    description of that form; importing it was not tried.

    actions: the actions alone, a JSON array with an action a line.

    csv: a table (RFC 4180) with a row for each step: n, t, time, type, payload, target, cause, effect, \
    at, rejected, changed.

    RANGE is A..B, all steps where it is missing. A fork is exported from a log of its own, which \
    'save' makes. A file that is there already is only overwritten with --force.
    """
  let examples = ["export redux todos.json", "export csv steps.csv 100..200"]
  let options = [CommandOption("--force", "overwrite a file that is there already")]
  let arguments = ArgumentStyle.words(3)
  let completions = [
    CompletionKind.words(ExportFormat.allCases.map(\.rawValue)), .file, .range,
  ]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let name = arguments.words.first else { throw arguments.usage("a format is missing") }
    guard let format = ExportFormat(rawValue: name) else {
      throw arguments.usage("there is no format \(name); it is one of \(ExportFormat.names)")
    }
    guard arguments.words.count > 1 else { throw arguments.usage("a file is missing") }
    let path = arguments.words[1]
    let range = try arguments.words.dropFirst(2).first.map { try arguments.range($0) }
    guard session.branches.current == nil else {
      throw CommandError(
        .usage, "export: a fork is not in the log",
        hint: "'save FILE' makes a log of it; 'switch 0' goes back to the recording")
    }
    let positions = try session.resolve(range)
    let steps = ExportedSteps(
      timeline: session.timeline, positions: positions, here: session.position,
      report: session.reporting("exporting"))
    try session.services.files.write(
      path, log: session.log.path, replacesExisting: arguments.has("--force")
    ) { write in
      var sink = ByteSink(write)
      try format.write(steps, to: &sink)
    }
    session.noteWhatIsMissing(in: positions)
    return WrittenFileAnswer(.export(format, steps: positions.count), path: path)
  }
}

extension Session {
  /// Says what whoever reads the file would not know.
  fileprivate mutating func noteWhatIsMissing(in positions: Range<Int>) {
    if !log.header.redacted.isEmpty {
      notes.append("the log has tokens in the place of redacted values, and so has the file")
    }
    let breaks = log.breaks.count { positions.contains($0.position) }
    if breaks > 0 {
      notes.append("lines are missing or damaged in \(breaks.counted("place")), and so in the file")
    }
  }
}
