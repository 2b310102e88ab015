import ArgumentParser
import FluxSubcommands
import Foundation

/// `flux-inspect review DIR --app PATH`: the divergences of many logs in groups, to accept or reject.
struct ReviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Review diverged logs in groups, and rewrite the accepted ones",
    discussion: """
      Replays the logs like verify, and groups the divergences by store, place, action type and kind. On a terminal, you \
      decide with single keys; '?' lists them. Otherwise --list shows the groups, and --accept and --reject take their \
      numbers. A log is rewritten, as by verify --update, if it is accepted in all its groups. If the app dispatches \
      follow-ups that differ from the recorded ones, the log is recorded again from its actions. Nothing is \
      written before the end, or if CI is set. \
      Exit codes: 0 no divergence is left; 1 a divergence is left; 4 a log is damaged or cannot be read; 5 replay \
      could not run, or nothing was compared; 130 interrupted, and no log is rewritten.
      """)

  @Argument(help: "Logs, and folders of logs", completion: .log)
  var logs: [String] = []

  @OptionGroup
  var replay: ReplayOptions

  @Flag(help: "Only list the groups")
  var list = false

  @Option(help: ArgumentHelp("Accept the logs of a group, by its number", valueName: "group"))
  var accept: [Int] = []

  @Option(help: ArgumentHelp("Reject the logs of a group, by its number", valueName: "group"))
  var reject: [Int] = []

  @OptionGroup
  var jobs: JobOptions

  @OptionGroup(title: "Output")
  var output: OutputOptions

  /// `true` if the arguments decide, and no person at a terminal.
  var hasDecisions: Bool { !accept.isEmpty || !reject.isEmpty }

  func validate() throws {
    if list, hasDecisions {
      throw ValidationError("--list only lists the groups; leave it out to accept or reject them")
    }
    if let both = accept.first(where: reject.contains) {
      throw ValidationError("group \(both) cannot be both accepted and rejected")
    }
    if !list, let ci = ProcessInfo.processInfo.environment["CI"], !ci.isEmpty {
      throw ValidationError(
        "review is refused because CI is set; run it on your machine, or only --list the groups")
    }
  }

  func run() throws {
    let printer = Printer(RunningCommand())
    try printer.run { try ReviewRun(self, printer).run() }
  }
}
