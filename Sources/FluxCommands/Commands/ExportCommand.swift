import FluxExchange
import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem

extension Command {
  static func export(_ formats: [ExportFormat]) -> Command {
    let names = formats.map(\.name)
    return Command(
      "export", group: .out,
      synopsis: "export \(names.joined(separator: "|")) FILE|-o FILE [RANGE] [--force]",
      summary: "Export the recording for other tools",
      help: """
        \(formats.map(\.help).joined(separator: "\n\n"))

        RANGE is A..B; without it, all steps are exported. To export a fork, save it as a log first. A file that \
        exists is overwritten only with --force.
        """,
      examples: [
        "export redux todos.json", "export csv steps.csv 100..200", "export trace todos.trace.json",
      ],
      options: [
        .force, CommandOption("-o", value: "FILE", "The file, as an option", completion: .file),
      ], arguments: .words(3), completions: [.words(names), .file, .range], needsTerminal: true
    ) { arguments, console in
      let name = try arguments.word("a format")
      guard let format = formats.first(where: { $0.name == name }) else {
        let choices = names.dropLast().joined(separator: ", ") + " or " + names.suffix(1).joined()
        throw arguments.usage("there is no format \(name); it is one of \(choices)")
      }
      var words = arguments.words.dropFirst()
      guard let path = arguments.value(of: "-o") ?? words.popFirst() else {
        throw arguments.usage("a file is missing")
      }
      let range = try words.popFirst().map { try arguments.range($0) }
      guard words.isEmpty else { throw arguments.usage("too many arguments") }
      let session = console.session
      guard session.currentFork == nil else {
        throw arguments.usage(
          "a fork is not in the log",
          hint: "'save FILE' makes a log of it; 'switch 0' goes back to the recording")
      }
      let positions = try session.resolve(range)
      let steps = ExportedSteps(
        timeline: session.timeline, positions: positions, here: session.position,
        report: session.work.reporting("exporting"))
      var remarks: [String] = []
      try session.services.files.write(
        path, log: session.log.path, replacesExisting: arguments.has("--force")
      ) { write in
        var sink = ByteSink(write)
        try SinkFailure.unwrapping {
          remarks = try format.write(steps, &sink)
          try sink.flush()
        }
      }
      let result = ExportedFile(
        file: path, format: name, steps: positions.count,
        notes: session.notes(onEmpty: positions)
          + (losses(of: session.log, in: positions) + remarks).map { Note($0) })
      return Reply(result) { result, text in
        try text.line("\(result.steps.counted("step")) exported to \(result.file)")
      }
    }
  }

  private struct ExportedFile: CommandResult {
    let file: String
    let format: String
    let steps: Int
    var notes: [Note] = []

    enum CodingKeys: CodingKey { case file, format, steps }
  }

  /// The facts about the log that a reader of the file would not know.
  private static func losses(
    of log: LogFile, in positions: Range<Int>
  ) -> [String] {
    var notes: [String] = []
    if log.header.isRedacted {
      notes.append("the file contains tokens instead of redacted values, as the log does")
    }
    let imports = Set(log.imports(in: positions))
    if !imports.isEmpty {
      notes.append("the file that was imported had no states, so some are missing")
    }
    let breaks = log.breaks.map(\.position).filter {
      positions.contains($0) && !imports.contains($0)
    }
    // Nothing is missing if the app went back to another model between two steps.
    let returns = breaks.count { log.isRestored(before: $0) && !log.lacksNumbers(before: $0) }
    if returns < breaks.count {
      let places = (breaks.count - returns).counted("place")
      notes.append("lines of the log are missing or damaged in \(places)")
    }
    if returns > 0 {
      notes.append("the app went back to another model in \(returns.counted("place"))")
    }
    let unwritten = log.unwrittenStepCount(in: positions)
    if unwritten > 0 {
      let steps = unwritten.counted("step")
      notes.append("\(steps) changed states that the log does not have: the recorder was behind")
    }
    if positions.upperBound == log.count {
      notes += log.inFlightNotes.map { "not in the file: \($0.text)" }
    }
    return notes
  }
}

extension LogFile {
  /// `true` if steps are missing right before the one at a position.
  fileprivate func lacksNumbers(before position: Int) -> Bool {
    let last = position > 0 ? number(at: position - 1) : nil
    return number(at: position) != (last.map { $0 &+ 1 } ?? header.first)
  }
}
