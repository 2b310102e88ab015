public import ArgumentParser
public import FluxInspector
import FluxLog
public import FluxReplay
import Foundation

/// `flux-inspect verify LOG... --app PATH`: a saved log is a regression test.
package struct VerifyCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Replay logs in fresh stores, and compare the states",
    discussion: """
      A folder stands for all logs in it. Exit codes: 0 all logs passed; 1 a log diverged; 4 a log is \
      damaged or cannot be read, or was not closed and --strict is given; 5 replay could not run, or nothing was compared.
      """)

  @Argument(help: "Logs, and folders of logs", completion: .log)
  var logs: [String] = []

  @Option(
    help: ArgumentHelp(
      "The app's executable, which replays actions in fresh stores", valueName: "path"),
    completion: .file())
  var app: String

  @Option(
    help: ArgumentHelp(
      "Skip this path when comparing: a JSON Pointer with * for any member, or a JSONPath",
      valueName: "path"))
  var ignore: [String] = []

  @Option(help: "The relative difference that numbers may have")
  var tolerance = 0.0

  @Option(
    help: ArgumentHelp(
      "Compare or ignore the messages with which reducers refuse actions",
      valueName: "compare|ignore"))
  var messages = Verification.Treatment.compare

  @Option(
    help: ArgumentHelp(
      "Compare or ignore the states in which the app begins; ignore them for a saved fork, and for an app that "
        + "restores persisted states",
      valueName: "compare|ignore"))
  var initial = Verification.Treatment.compare

  @Flag(help: "Fail logs that were not closed: their last steps may be missing")
  var strict = false

  @Flag(help: "Replay in two different environments, to find what depends on unrecorded input")
  var twice = false

  @Option(
    help: ArgumentHelp("Write the results as JUnit XML", valueName: "file"), completion: .file())
  var junit: String?

  @Option(
    help: ArgumentHelp(
      "Write an HTML report of each log that did not pass, opened where it diverged",
      valueName: "folder"),
    completion: .directory)
  var report: String?

  @Flag(help: "Print the results in the Test Anything Protocol")
  var tap = false

  @Flag(help: "Print annotations for GitHub Actions, and write the step summary")
  var github = false

  @Option(
    help: ArgumentHelp(
      "The number of logs to verify at a time (default: one for each processor core)",
      valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Verify one part of the logs: 2/8 is the second of eight parts", valueName: "i/n")
  )
  var shard: Shard?

  @Flag(help: "Continue after a log that did not pass")
  var keepGoing = false

  @Option(
    help: ArgumentHelp(
      "The seconds the app may take to start, and to answer one request", valueName: "s"))
  var timeout = 30.0

  @Flag(help: "Rewrite the states of logs that diverged; refused if CI is set")
  var update = false

  @Flag(help: "Pass if there are no logs, or if a log has no step to compare")
  var allowEmpty = false

  @OptionGroup(title: "Output")
  var output: OutputOptions

  package func validate() throws {
    guard tolerance >= 0, tolerance.isFinite else {
      throw ValidationError("--tolerance: expected a number from 0, found \(tolerance)")
    }
    if let jobs, jobs < 1 {
      throw ValidationError("--jobs: expected a number from 1, found \(jobs)")
    }
    guard timeout > 0, timeout.isFinite else {
      throw ValidationError("--timeout: expected seconds above 0, found \(timeout)")
    }
    if update, let ci = ProcessInfo.processInfo.environment["CI"], !ci.isEmpty {
      throw ValidationError(
        "--update is refused because CI is set; run it on your machine, and review the rewritten logs"
      )
    }
    _ = try ignoredPaths()
  }

  package init() {}

  package func run() throws {
    let code = try CorpusRun(self, Printer(RunningCommand())).run()
    if code != 0 { throw ExitCode(code) }
  }

  /// The places that are not compared.
  func ignoredPaths() throws -> [IgnoredPath] {
    try ignore.map { text in
      do {
        return try IgnoredPath(text)
      } catch {
        throw ValidationError("--ignore \(text): \(error)")
      }
    }
  }
}

extension Shard: ExpressibleByArgument {
  /// Reads a shard such as `2/8`.
  public init?(argument: String) {
    self.init(argument)
  }
}

extension Verification.Treatment: ExpressibleByArgument {}
