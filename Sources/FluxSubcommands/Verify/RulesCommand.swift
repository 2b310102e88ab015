package import ArgumentParser

/// `flux-inspect rules FILE LOG...`: rules that every recording has to keep.
package struct RulesCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "Check rules in logs, without an app",
    discussion: """
      The file contains one rule per line, such as 'rule total: always cart.total >= 0'; docs/rules.md describes them. \
      A folder means all logs in it, and the segments of one recording are checked as one. Exit codes: 0 all \
      rules hold; 1 a rule is violated; 2 a rule contains a mistake; 4 a log is damaged or cannot be read; 5 nothing was \
      checked. With --strict, 1 also if a rule was never triggered, and 4 if a log was not closed.
      """)

  @Argument(help: "The rules file", completion: .file(extensions: ["rules"]))
  var file: String

  @Argument(help: "Logs, and folders of logs", completion: .log)
  var logs: [String] = []

  @OptionGroup
  var corpus: CorpusOptions

  @OptionGroup(title: "Output")
  var output: OutputOptions

  package init() {}

  package func validate() throws { try corpus.refuseTwoForms(output) }

  package func run() throws {
    let printer = Printer(RunningCommand())
    try printer.run { try RulesRun(self, printer).run() }
  }
}
