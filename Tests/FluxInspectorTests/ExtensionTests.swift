import FluxJSON
import FluxLog
import FluxSystem
import Testing

@testable import FluxCommands
@testable import FluxExchange
@testable import FluxInspector

private struct Pace: CommandResult {
  let steps: Int
  let unit: String
}

extension Command {
  /// A command as CONTRIBUTING.md describes it.
  fileprivate static let pace = Command(
    "pace", aliases: ["tempo"], group: .look, synopsis: "pace [--minute]",
    summary: "Count the steps of a second",
    help: "The steps of the whole log count.", examples: ["pace", "pace --minute"],
    options: [CommandOption("--minute", "Of a minute instead")]
  ) { arguments, console in
    let log = try console.session.statistics()
    let (seconds, unit) = arguments.has("--minute") ? (60.0, "minute") : (1.0, "second")
    let duration = Double(log.duration.time.microseconds) / 1_000_000
    let pace = Pace(steps: Int(Double(log.steps) * seconds / duration), unit: unit)
    return Reply(pace) { pace, text in
      try text.line("\(pace.steps.counted("step")) a \(pace.unit)", .number)
    }
  }
}

extension ExportFormat {
  /// The types of the actions, a line each.
  fileprivate static let types = ExportFormat(
    name: "types", help: "types: the type of each action on a line of its own."
  ) { steps, sink in
    try steps.forEach { _, step in
      sink.append("\(step.type)\n")
      try sink.drain()
    }
    return []
  }
}

@Suite struct ExtensionTests {
  private let registry = CommandRegistry(
    CommandRegistry.commands(exporting: ExportFormat.all + [.types]) + [.pace])

  @Test("A command that is added runs, as text and as JSON")
  func command() throws {
    var inspection = try Inspection(registry: registry)
    #expect(
      try inspection.transcript("pace --minute", "tempo", "pac --hour", "pace 3") == """
        > pace --minute
        48 steps a minute
        > tempo
        0 steps a second
        > pac --hour
        error: pace: no option --hour
        hint: usage: pace [--minute]
        > pace 3
        error: pace: too many arguments
        hint: usage: pace [--minute]

        """)
    #expect(
      try inspection.json("pace --minute")
        == #"{"command":"pace --minute","ok":true,"position":0,"result":{"steps":48,"unit":"minute"}}"#
        + "\n")
  }

  @Test("Help, search, completion, suggestions and the reference know a command that is added")
  func help() throws {
    var inspection = try Inspection(registry: registry)
    #expect(
      try inspection.text("help pace") == """
        pace [--minute]  (also tempo)
        Count the steps of a second
          --minute  Of a minute instead

        The steps of the whole log count.

          pace
          pace --minute

        """)
    let line =
      "\n  pace [--minute] (tempo)\n                          Count the steps of a second\n"
    #expect(try inspection.text("help").contains(line))
    #expect(
      try inspection.text("apropos whole log count")
        == "  pace [--minute] (tempo)\n                          Count the steps of a second\n")
    #expect(
      try inspection.text("paec")
        == "error: no command paec; did you mean pace?\nhint: 'help' lists the commands\n")
    #expect(
      try inspection.text("alias tempo list")
        == "error: alias: tempo is already a command\nhint: usage: alias [-d] [NAME [TEXT]]\n")
    #expect(inspection.console.completions(of: "pac").candidates == ["pace"])
    #expect(inspection.console.completions(of: "tempo --").candidates == ["--minute"])
    #expect(CommandReference.markdown(of: registry.table).contains("\n### `pace`\n"))
    #expect(!CommandReference.markdown().contains("pace`"))
  }

  @Test("An export format that is added has a help, a completion and a file")
  func exportFormat() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(world: world, registry: registry)
    #expect(
      try inspection.transcript("export types out 1..3", "export xml out") == """
        > export types out 1..3
        3 steps exported to out
        > export xml out
        error: export: there is no format xml; it is one of redux, actions, csv, trace or types
        hint: usage: export redux|actions|csv|trace|types FILE|-o FILE [RANGE] [--force]

        """)
    #expect(world.files == ["out": "todo/add\ntodo/saved\ntodo/add\n"])
    #expect(
      try inspection.json("export types out --force")
        == #"{"command":"export types out --force","ok":true,"position":0,"result":{"file":"out","format":"types","steps":8}}"#
        + "\n")
    #expect(
      try inspection.text("help export").contains(
        "\n\ntypes: the type of each action on a line of its own.\n\nRANGE"))
    #expect(inspection.console.completions(of: "export ty").candidates == ["types"])
  }
}
