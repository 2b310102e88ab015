public import ArgumentParser
public import FluxInspector
import FluxLog
import FluxReplay
import Foundation
import LineEditor

/// `flux-inspect verify LOG... --app PATH`: a saved log is a regression test.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Dispatches the actions of logs again, into fresh stores, and compares the states.",
    discussion: """
      A folder stands for all logs in it. Exit codes: 0 all passed; 1 the app behaves otherwise than \
      it did; 4 a log is damaged or cannot be read; 5 replay could not run, or there was nothing \
      to compare.
      """)

  @Argument(help: "Logs, and folders of logs.", completion: .file(extensions: ["jsonl"]))
  var logs: [String] = []

  @Option(
    help: "The app's executable, which serves fresh stores on request.", completion: .file())
  var app: String

  @Option(
    help: ArgumentHelp(
      "Does not compare these places: a JSON Pointer with * for any member, or a JSONPath.",
      valueName: "path"))
  var ignore: [String] = []

  @Option(help: "How far numbers may be apart, as a part of the larger one.")
  var tolerance = 0.0

  @Flag(help: "Replays everything twice, and compares the two: finds what is not recorded.")
  var twice = false

  @Option(help: ArgumentHelp("Writes the results as JUnit XML.", valueName: "file"))
  var junit: String?

  @Flag(help: "Writes the results in the Test Anything Protocol.")
  var tap = false

  @Flag(help: "Writes annotations for GitHub Actions, and the summary of the step.")
  var github = false

  @Option(help: ArgumentHelp("How many logs are verified at a time.", valueName: "n"))
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Option(
    help: ArgumentHelp("Verifies a part of the logs: 2/8 is the second of eight.", valueName: "i/n")
  )
  var shard: Shard?

  @Flag(help: "Goes on after a log that did not pass.")
  var keepGoing = false

  @Option(
    help: ArgumentHelp(
      "How many seconds the app may take to start, and over one call.", valueName: "s"))
  var timeout = 30.0

  @Flag(help: "Rewrites the states of logs that diverged to today's; refused where CI is set.")
  var update = false

  @Flag(help: "Takes no logs at all, and logs without a step to compare, for a pass.")
  var allowEmpty = false

  @OptionGroup(title: "Output")
  var output: OutputOptions

  func validate() throws {
    guard tolerance >= 0, tolerance.isFinite else {
      throw ValidationError("--tolerance: expected a number from 0, found \(tolerance)")
    }
    guard jobs > 0 else { throw ValidationError("--jobs: expected a number from 1, found \(jobs)") }
    guard timeout > 0, timeout.isFinite else {
      throw ValidationError("--timeout: expected seconds above 0, found \(timeout)")
    }
    if update, let ci = ProcessInfo.processInfo.environment["CI"], !ci.isEmpty {
      throw ValidationError(
        "--update: CI is set, and nothing is rewritten there; update where the change can be reviewed"
      )
    }
    _ = try ignoredPaths()
  }

  func run() throws {
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
