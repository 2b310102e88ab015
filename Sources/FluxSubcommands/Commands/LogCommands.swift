package import ArgumentParser
import FluxCommands
import FluxCorpus
import FluxHost
import FluxLog
import FluxTerminal

/// `flux-inspect cat LOG`: the steps of a log as JSON Lines.
package struct CatCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "cat", abstract: "Print the steps of a log as JSON Lines",
    discussion: """
      Prints each step as it is in the log. On a terminal, control characters are escaped. If the log \
      is damaged, prints the readable steps and exits with 4. Patches are applied only with --states; \
      'check' tries all of them.
      """)

  @Argument(help: "The log to print", completion: .log)
  var log: String

  @Flag(help: "Add the whole model after each step, as 'state'")
  var states = false

  @Option(help: ArgumentHelp("Print only these steps: 5..10, @12.5.., ..50%", valueName: "A..B"))
  var range: String?

  @Option(help: ArgumentHelp("Print only steps whose action matches: 'todo/*'", valueName: "glob"))
  var type: String?

  package init() {}

  package func run() throws {
    let subcommand = Subcommand.cat(
      log, withStates: states, range: range, types: type.map { Glob($0) })
    try subcommand.run(try SubcommandOptions.parse([]))
  }
}

/// `flux-inspect check LOG...`: validates logs against the format.
package struct CheckCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Validate logs against the format",
    discussion: """
      Prints each finding on a line: its place, its kind and a message. Exits with 4 if a log is damaged \
      or cannot be read, and with 5 if a folder contains no log. If only the last line is truncated or the end line is missing, that is a note, not damage. \
      Steps in flight when the app ended are named, with the command that rebuilds them. A folder means all logs in it.
      """)

  @Argument(help: "Logs, and folders of logs", completion: .log)
  var logs: [String]

  @OptionGroup(title: "Output")
  var output: SubcommandOptions

  package init() {}

  package func run() throws {
    try output.run(Subcommand.check, on: logs, format: .ndjson)
  }
}

/// `flux-inspect diff A B`: compares two logs.
package struct DiffCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two logs: actions first, then states",
    discussion: "Exits with 1 if the logs differ.")

  @Argument(help: "The log to compare against", completion: .log)
  var old: String

  @Argument(help: "The log to compare", completion: .log)
  var new: String

  @OptionGroup(title: "Output")
  var output: SubcommandOptions

  package init() {}

  package func run() throws {
    try Subcommand.diff(old, new).run(output)
  }
}

/// `flux-inspect repair LOG -o OUT`: recovers the readable steps of a damaged log.
package struct RepairCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "repair", abstract: "Recover the readable steps of a damaged log",
    discussion: """
      Copies readable steps byte for byte, and marks what is missing between them as gaps. Never overwrites a \
      file. If the app crashed, --app replays the log to rebuild the steps that were committed but not written \
      yet.
      """)

  @Argument(help: "The damaged log", completion: .log)
  var log: String

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The repaired log", valueName: "out"), completion: .file())
  var copy: String

  @Option(
    help: "The app's executable, to rebuild steps that a crash left unwritten", completion: .file())
  var app: String?

  @OptionGroup(title: "Output")
  var output: SubcommandOptions

  package init() {}

  package func validate() throws {
    try OutputFile.validate(copy, of: "-o")
  }

  package func run() throws {
    let interruption = Interruption()
    let app = app.map { HostApp(executable: $0) { interruption.isRequested } }
    try Subcommand.repair(log, to: copy, app: app).run(output)
  }
}

/// `flux-inspect stats LOG...`: counts the steps of logs.
package struct StatsCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Count the steps of logs by action type",
    discussion: "A folder means all logs in it.")

  @Argument(help: "Logs, and folders of logs", completion: .log)
  var logs: [String]

  @OptionGroup(title: "Output")
  var output: SubcommandOptions

  package init() {}

  package func run() throws {
    try output.run(Subcommand.stats, on: logs)
  }
}

/// `flux-inspect import FILE [-o LOG]`: a session of Redux DevTools as a log.
package struct ImportCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import a Redux DevTools session as a log",
    discussion: """
      Reads lifted state, an export of the browser extension (payload, preloadedState), or an array of \
      actions, and recognizes it by its content. The report counts what the log cannot represent, with \
      the first place of each kind. With --slices, a file that 'export redux' wrote becomes the same log again.
      """)

  @Argument(
    help: "The file with the session, or - for standard input",
    completion: .file(extensions: ["json"]))
  var file: String

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "The log (default: next to the file, with the extension jsonl)", valueName: "log"),
    completion: .file())
  var log: String?

  @Flag(help: "Make a store of each member of the root state, which must be an object")
  var slices = false

  @Flag(help: "Exit with 1 if something in the file cannot be represented")
  var strict = false

  @Flag(help: "Replace a log that exists")
  var force = false

  @OptionGroup(title: "Output")
  var output: SubcommandOptions

  package init() {}

  package func validate() throws {
    try OutputFile.validate(log, of: "-o")
    guard file != LogInput.standardInput || log != nil else {
      throw ValidationError("the session is read from standard input, so -o must name the log")
    }
  }

  package func run() throws {
    var session = ImportSubcommand(
      file, to: log, usesSlices: slices, isStrict: strict, replacesExisting: force)
    session.place = { path, services in try LogInput(services).unpacked(path) }
    try session.subcommand.run(output)
  }
}
