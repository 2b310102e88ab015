package import ArgumentParser
import FluxReplay

/// `flux-inspect verify LOG... --app PATH`: a saved log is a regression test.
package struct VerifyCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Replay logs in fresh stores, and compare the states",
    discussion: """
      A folder means all logs in it. Exit codes: 0 all logs passed; 1 a log diverged; 4 a log is \
      damaged or cannot be read, or was not closed and --strict is given; 5 replay could not run, or nothing was compared.
      """)

  @Argument(help: "Logs, and folders of logs", completion: .log)
  var logs: [String] = []

  @OptionGroup
  var replay: ReplayOptions

  @Flag(help: "Replay in two different environments, to find what depends on unrecorded input")
  var twice = false

  @OptionGroup
  var corpus: CorpusOptions

  @Option(
    help: ArgumentHelp(
      "Write an HTML report of each log that did not pass, opened where it diverged",
      valueName: "folder"),
    completion: .directory)
  var report: String?

  @Flag(help: "Rewrite the states of logs that diverged; refused if CI is set")
  var update = false

  @OptionGroup(title: "Output")
  var output: OutputOptions

  package func validate() throws {
    try corpus.refuseTwoForms(output)
    if update, Verification.Options().isCI {
      throw ValidationError(
        "--update is refused because CI is set; run it on your machine, and review the rewritten logs"
      )
    }
  }

  package init() {}

  package func run() throws {
    let printer = Printer(RunningCommand())
    try printer.run { try CorpusRun(arguments: self, printer: printer).run() }
  }
}
