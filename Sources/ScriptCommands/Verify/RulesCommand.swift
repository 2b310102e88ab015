package import ArgumentParser
import FluxInspector
import Foundation

/// `flux-inspect rules FILE LOG...`: rules that every recording has to keep.
package struct RulesCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "Check rules in logs, without an app",
    discussion: """
      The file has one rule a line, such as 'rule total: always cart.total >= 0'; docs/rules.md describes them. \
      A folder stands for all logs in it, and the segments of one recording are checked as one. Exit codes: 0 all \
      rules hold; 1 a rule is violated; 2 a rule has a mistake; 4 a log is damaged or cannot be read, or was not closed \
      and --strict is given; 5 nothing was checked.
      """)

  @Argument(help: "The file of rules", completion: .file(extensions: ["rules"]))
  var file: String

  @Argument(help: "Logs, and folders of logs", completion: .log)
  var logs: [String] = []

  @Flag(help: "Fail logs that were not closed: their last steps may be missing")
  var strict = false

  @Option(
    help: ArgumentHelp("Write the results as JUnit XML", valueName: "file"), completion: .file())
  var junit: String?

  @Flag(help: "Print the results in the Test Anything Protocol")
  var tap = false

  @Flag(help: "Print annotations for GitHub Actions, and write the step summary")
  var github = false

  @Option(
    help: ArgumentHelp(
      "The number of logs to check at a time (default: one for each processor core)",
      valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Check one part of the logs: 2/8 is the second of eight parts", valueName: "i/n"))
  var shard: Shard?

  @Flag(help: "Continue after a log that breaks a rule")
  var keepGoing = false

  @Flag(help: "Pass if there are no logs")
  var allowEmpty = false

  @OptionGroup(title: "Output")
  var output: OutputOptions

  package func validate() throws {
    if let jobs, jobs < 1 {
      throw ValidationError("--jobs: expected a number from 1, found \(jobs)")
    }
  }

  package init() {}

  package func run() throws {
    let code = try RulesRun(self, Printer(RunningCommand())).run()
    if code != 0 { throw ExitCode(code) }
  }
}
