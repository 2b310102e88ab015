public import ArgumentParser
package import FluxCommands
import FluxCorpus
import FluxInspector
import FluxTerminal

/// The options for output.
package struct OutputOptions: ParsableArguments {
  @Option(name: .customLong("format"), help: "The output format (default: text)")
  var chosenFormat: OutputFormatName?

  @Option(
    name: .customLong("color"),
    help: "When to color output; auto obeys NO_COLOR and CLICOLOR (default: auto)")
  var chosenColor: Settings.Color?

  @Flag(help: "Never page long output")
  package var noPager = false

  package init() {}

  package var format: OutputFormatName { settings.format }

  package var settings: Settings {
    var settings = Settings()
    apply(to: &settings)
    return settings
  }

  /// Changes what the options say, and leaves everything else.
  package func apply(to settings: inout Settings) {
    if let chosenFormat { settings.format = chosenFormat }
    if let chosenColor { settings.color = chosenColor }
    if noPager { settings.usesPager = false }
  }
}

extension OutputFormatName: ExpressibleByArgument {}
extension Settings.Color: ExpressibleByArgument {}

/// The output options of the shared subcommands.
struct SubcommandOptions: ParsableArguments {
  @Option(
    help: """
      The form of results; in json, each is a separate object (default: text; ndjson for \
      check)
      """)
  var format: OutputFormatName?

  @Option(help: "When to color output; auto obeys NO_COLOR and CLICOLOR")
  var color = Settings.Color.auto

  /// Runs a subcommand on logs and on those in folders.
  ///
  /// - Throws: `ExitCode` if there is no log, and as the subcommand does.
  func run(
    _ subcommand: ([String]) -> Subcommand, on arguments: [String], format: OutputFormatName = .text
  ) throws {
    try Printer(RunningCommand()).run {
      // As of a verification without a log: nothing was looked at.
      try subcommand(LogCollection.paths(arguments, emptyCode: 5)).run(self, format: format)
      return 0
    }
  }
}

extension Subcommand {
  /// Runs the subcommand in this process, and exits with its code.
  ///
  /// - Throws: `ExitCode` if that is not 0, and ``LostOutput`` if standard output cannot be written to.
  func run(_ options: SubcommandOptions, format: OutputFormatName = .text) throws {
    var settings = Settings()
    settings.format = options.format ?? format
    settings.color = options.color
    let printer = Printer(RunningCommand())
    var output = printer.subcommandOutput(settings)
    defer { printer.command.clear() }
    try printer.run { try run(with: Services(printer.command), to: &output) }
  }
}

extension Settings.Color {
  /// `true` if output to a stream is colored.
  ///
  /// `always` and `never` decide at once. For `auto`, the first match decides: `NO_COLOR` (if not empty,
  /// no-color.org), `CLICOLOR_FORCE` (unless empty or 0), `CLICOLOR=0`. Otherwise output is colored if the stream is a
  /// terminal and not a dumb one.
  func isUsed(environment: [String: String], isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if let setting = environment["NO_COLOR"], !setting.isEmpty { return false }
    if let setting = environment["CLICOLOR_FORCE"], !setting.isEmpty, setting != "0" { return true }
    if environment["CLICOLOR"] == "0" { return false }
    return isTerminal && environment.namesFullTerminal
  }
}
