import ArgumentParser
import FluxInspector

/// The output options of the subcommands for scripts.
struct ScriptOptions: ParsableArguments {
  @Option(help: "The form of results (default: text, for check ndjson)")
  var format: OutputFormatName?

  @Option(help: "When to color output; auto obeys NO_COLOR and CLICOLOR")
  var color = Settings.Color.auto
}

extension Script {
  /// Does the work in this process, and ends the subcommand with its code.
  ///
  /// - Throws: `ExitCode` where that is not 0, and `Errno` where standard output takes no more.
  func run(_ options: ScriptOptions, format: OutputFormatName = .text) throws {
    var settings = Settings()
    settings.format = options.format ?? format
    settings.color = options.color
    let printer = Printer(RunningCommand())
    var output = printer.scriptOutput(settings)
    defer { printer.command.clear() }
    let code = try run(with: Services(printer.command), to: &output)
    if code != 0 { throw ExitCode(code) }
  }
}
