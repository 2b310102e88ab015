public import ArgumentParser
import FluxCommands
public import FluxCorpus
import FluxInspector
import Foundation

/// The choice of logs, and the results for machines: the options that `verify` and `rules` share.
struct CorpusOptions: ParsableArguments {
  @Flag(help: "Fail logs that were not closed: their last steps may be missing")
  var strict = false

  @Option(
    help: ArgumentHelp("Write the results as JUnit XML", valueName: "file"), completion: .file())
  var junit: String?

  @Flag(help: "Print the results in the Test Anything Protocol")
  var tap = false

  @Flag(help: "Print annotations for GitHub Actions, and write the step summary")
  var github = false

  @OptionGroup
  var jobs: JobOptions

  @Option(
    help: ArgumentHelp(
      "Check one part of the logs: 2/8 is the second of eight parts", valueName: "i/n"))
  var shard: Shard?

  @Flag(help: "Continue after a log that did not pass")
  var keepGoing = false

  @Flag(help: "Pass if there is nothing to check")
  var allowEmpty = false

  func validate() throws {
    // Standard output already contains the results in another form.
    try OutputFile.validate(junit, of: "--junit")
  }

  /// Refuses a choice of two forms of output.
  func refuseTwoForms(_ output: OutputOptions) throws {
    if tap, output.format != .text {
      throw ValidationError("--tap and --format are two forms of the same results; choose one")
    }
  }

  /// Refuses a file for results that is one of the logs, before it would be replaced.
  func protect(_ logs: [String]) throws(CommandError) {
    guard let junit else { return }
    for log in logs { try SystemFiles().protect(log, from: junit) }
  }

  /// Writes the file of `--junit`.
  ///
  /// - Throws: `CommandError` if it cannot be written.
  func writeFile(_ run: ReportedRun) throws {
    guard let junit else { return }
    let report = run.junit(host: ProcessInfo.processInfo.hostName)
    try SystemFiles().write(junit, log: "", replacesExisting: true) { try $0(Array(report.utf8)) }
  }

  /// Prints the results: as `--tap`, or `text`; then the annotations of `--github`, the summary, and how to check logs that
  /// were left out.
  ///
  /// Annotations are no JSON, so they never follow any: they go to standard error then.
  ///
  /// - Throws: ``LostOutput`` if a stream cannot be written to, and then `CommandError` if the step summary cannot.
  func write(
    _ run: ReportedRun, _ printer: Printer, _ format: OutputFormatName, else text: () -> String
  ) throws {
    try StandardStream.output.write(tap ? run.tap : text())
    if github {
      let stream = format == .text ? StandardStream.output : .error
      try stream.write(
        run.githubAnnotations(
          in: FileManager.default.currentDirectoryPath,
          workspace: printer.environment["GITHUB_WORKSPACE"]))
    }
    try StandardStream.error.write("\(run.summary)\n")
    if github { try printer.appendSummary(run.githubSummary) }
    if format == .text, run.leavesLogsOut, !printer.command.isInterrupted {
      try printer.complain("note", "to check all logs, despite those that fail: --keep-going")
    }
  }

  /// Says why a run had no logs, if it had none and that needs an explanation.
  func explain(isEmpty: Bool, isEmptyShard: Bool, _ verb: String, _ printer: Printer) throws {
    if isEmptyShard {
      try printer.complain(
        "note", "this shard has no logs, because there are fewer logs than shards; that is a pass")
    } else if isEmpty, !allowEmpty {
      try printer.complain(
        "error",
        "there is no log to \(verb): name logs or folders; --allow-empty passes without any")
    }
  }
}

/// The number of logs that a command works on at a time.
package struct JobOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The number of logs to check at a time (default: one for each processor core)",
      valueName: "n"))
  var jobs: Int?

  package init() {}

  package func validate() throws {
    if let jobs, jobs < 1 {
      throw ValidationError("--jobs: expected a number, at least 1, found \(jobs)")
    }
  }

  /// The number of logs at a time.
  package var count: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }
}

extension Shard: ExpressibleByArgument {
  /// Reads a shard such as `2/8`.
  public init?(argument: String) {
    self.init(argument)
  }
}
