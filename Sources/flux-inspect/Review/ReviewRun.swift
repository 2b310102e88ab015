import FluxCommands
import FluxCorpus
import FluxHost
import FluxInspector
import FluxJSON
import FluxReplay
import FluxSubcommands
import FluxSystem
import LineEditor

/// One run of `review`: from the arguments to the logs that are rewritten.
struct ReviewRun {
  private let arguments: ReviewCommand
  private let printer: Printer
  private let app: HostApp

  init(_ arguments: ReviewCommand, _ printer: Printer) {
    self.arguments = arguments
    self.printer = printer
    let command = printer.command
    app = arguments.replay.hostApp { command.isInterrupted }
  }

  /// Verifies the logs, collects the decisions, and rewrites the accepted logs; returns the code to end with.
  ///
  /// - Throws: `CommandError`, and `LostOutput` if a stream cannot be written to.
  func run() throws -> Int32 {
    let editor = try editor()
    defer { editor?.close() }
    let paths = LogCollection(arguments.logs).paths
    guard !paths.isEmpty else {
      try printer.complain("error", "there is no log to review; name logs or folders")
      return 5
    }
    let acceptance = LogAcceptance(of: paths, app: app, arguments.replay.verification, printer)
    let suite = verify(paths)
    for log in suite.failing where log.result != .diverged {
      try printer.warn(Array(log.text.utf8))
    }
    if printer.command.isInterrupted { return 130 }
    let others = suite.failing.filter { $0.result != .diverged }.map(\.exitCode).max() ?? 0
    var review = Review(suite.divergenceGroups)
    if arguments.list {
      try list(suite, review.groups)
      return max(others, review.groups.isEmpty ? 0 : 1)
    }
    for number in arguments.accept { try decide(.accepted, number, &review) }
    for number in arguments.reject { try decide(.rejected, number, &review) }
    if let editor, !review.items.isEmpty {
      let prompt = ReviewPrompt(
        editor: editor, printer: printer, output: arguments.output,
        replay: arguments.replay)
      guard try prompt.run(&review) else {
        try printer.complain("note", "the review was interrupted; no log is rewritten")
        return 130
      }
    }
    let results = try acceptance.apply(review) { try tell($0) }
    try write(results, suite)
    let isLeft = results.contains { !$0.isAccepted }
    return printer.command.isInterrupted ? 130 : max(others, isLeft ? 1 : 0)
  }

  /// Opens the terminal if a person decides.
  private func editor() throws -> LineEditor? {
    guard !arguments.list, !arguments.hasDecisions else { return nil }
    do throws(LineEditorError) {
      if isatty(0) == 1, isatty(1) == 1 {
        return try LineEditor(name: "flux-inspect", environment: printer.environment)
      }
    } catch {
      // A terminal that can only print is no place for keys, either.
    }
    throw CommandError(
      .usage, "this needs a terminal",
      hint: "--list shows the groups; decide with --accept GROUP and --reject GROUP")
  }

  private func verify(_ paths: [String]) -> VerifiedSuite {
    let command = printer.command
    var verification = CorpusVerification { [app] log, options, progress in
      var report = try app.verify(log, options: options, progress: progress)
      report.inspector = CommandLine.invocation
      return report
    }
    let input = LogInput(Services(command))
    verification.open = { try input.open($0) }
    verification.isInterrupted = { command.isInterrupted }
    verification.jobs = arguments.jobs.count
    verification.keepsGoing = true
    verification.options = arguments.replay.verification
    // An accepted log is rewritten to its end, so a person has to see all that differs in it, and not only what is first.
    verification.options.stopsAtFirst = false
    let bar = ProgressBar(total: paths.count, printer.environment)
    defer { bar.clear() }
    return verification.run(paths) { _ in bar.advance() }
  }

  private func decide(
    _ decision: Review.Decision, _ number: Int, _ review: inout Review
  ) throws(CommandError) {
    guard review.groups.contains(where: { $0.number == number }) else {
      throw CommandError(
        .usage, "there is no group \(number)", hint: "--list shows the groups and their numbers")
    }
    review.decide(decision, group: number)
  }

  // MARK: Output

  private func list(_ suite: VerifiedSuite, _ groups: [DivergenceGroup]) throws {
    switch arguments.output.format {
    case .text: try printer.text(arguments.output.settings) { try Review.write(groups, to: &$0) }
    case .json:
      let list = GroupList(groups: groups, summary: suite.summary)
      try printer.write(Array(JSON(message: list).printedLines.utf8))
    case .ndjson:
      for group in groups { try printer.write(Array(JSON(message: group).printedLine.utf8)) }
    }
    try printer.warn(Array("\(suite.summary)\n".utf8))
  }

  private func tell(_ result: ReviewedLog) throws {
    switch arguments.output.format {
    case .text:
      let bytes = Array("\(result.text)\n".utf8)
      if result.error == nil { try printer.write(bytes) } else { try printer.warn(bytes) }
    case .ndjson: try printer.write(Array(JSON(message: result).printedLine.utf8))
    case .json: break
    }
  }

  private func write(_ results: [ReviewedLog], _ suite: VerifiedSuite) throws {
    // The logs were counted before any of them was rewritten.
    let rewritten = results.count(where: \.isAccepted)
    let summary = suite.summary + (rewritten > 0 ? "; \(rewritten) rewritten" : "")
    if arguments.output.format == .json {
      let list = ResultList(logs: results, summary: summary)
      try printer.write(Array(JSON(message: list).printedLines.utf8))
    }
    try printer.warn(Array("\(summary)\n".utf8))
  }
}

/// The groups of `--list --format json`.
private struct GroupList: Encodable {
  let groups: [DivergenceGroup]
  let summary: String
}

/// The results of `--format json`.
private struct ResultList: Encodable {
  let logs: [ReviewedLog]
  let summary: String
}

extension Printer {
  /// Writes text for people to standard output.
  func text(_ settings: Settings, _ body: (inout TextOutput) throws -> Void) throws {
    var output = TextOutput(
      ByteSink { try write($0) }, palette: palette(of: .output, settings))
    try SinkFailure.unwrapping {
      try body(&output)
      try output.flush()
    }
  }
}
