import FluxCommands
import FluxCorpus
import FluxHost
import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem
import Foundation

/// One run of `verify`: from the arguments to the reports.
struct CorpusRun {
  let arguments: VerifyCommand
  let printer: Printer
  /// The first failure to write a line about a log.
  let lost = Monitor<(any Error)?>(nil)

  /// Verifies, and writes every report that is asked for; returns the code to end with.
  ///
  /// If lines about single logs cannot be written, the other logs are verified and reported all the same.
  ///
  /// - Throws: `CommandError`, and ``LostOutput`` if standard output cannot be written to.
  func run() throws -> Int32 {
    let all = LogCollection(arguments.logs).paths
    try arguments.corpus.protect(all)
    let paths = arguments.corpus.shard?.select(from: all) ?? all
    let isEmptyShard = paths.isEmpty && !all.isEmpty
    let suite = verify(paths, tellingLogs: tellsLogs)
    // A file that cannot be written keeps no result from the streams.
    let files = Result { try writeFiles(of: suite) }
    if let failure = lost.withLock({ $0 }) { throw failure }
    try arguments.corpus.write(ReportedRun(suite), printer, arguments.output.format) {
      arguments.output.format == .json ? JSON(message: suite).printedLines : ""
    }
    try files.get()
    try arguments.corpus.explain(
      isEmpty: suite.logs.isEmpty, isEmptyShard: isEmptyShard, "verify", printer)
    try suggestReview(of: suite)
    if let log = suite.failing.first(where: { $0.result == .empty }) {
      try printer.complain(
        "error",
        "no step of \(log.log) was compared, which proves nothing; pass with --allow-empty"
      )
    }
    if printer.command.isInterrupted { return 130 }
    return suite.logs.map(\.exitCode).exitCode(
      keepsGoing: arguments.corpus.keepGoing,
      allowsEmpty: arguments.corpus.allowEmpty || isEmptyShard)
  }

  /// Writes the files of `--junit` and `--report`.
  private func writeFiles(of suite: VerifiedSuite) throws {
    try arguments.corpus.writeFile(ReportedRun(suite))
    if let folder = arguments.report {
      try ReportFolder(path: folder, app: app).write(suite, printer)
    }
  }

  /// Says how to see many divergences as few: an intended change makes many logs diverge in the same way.
  private func suggestReview(of suite: VerifiedSuite) throws {
    guard arguments.output.format == .text, suite.logs.count(where: { $0.result == .diverged }) > 1
    else { return }
    let shown = arguments.logs.prefix(3).map(\.shellPath).joined(separator: " ")
    let logs = arguments.logs.count > 3 ? "LOG..." : shown
    try printer.complain(
      "note",
      "to see what the logs have in common: \(CommandLine.invocation) review \(logs) --app "
        + "\(arguments.replay.app.shellPath) --list")
  }

  /// `true` if each log is reported when it is done, in text or as a line of JSON.
  private var tellsLogs: Bool { !arguments.corpus.tap && arguments.output.format != .json }

  private var app: HostApp {
    arguments.replay.hostApp { [command = printer.command] in command.isInterrupted }
  }

  private func verify(_ paths: [String], tellingLogs: Bool) -> VerifiedSuite {
    let (app, command) = (app, printer.command)
    let updates = arguments.update
    var verification = CorpusVerification { log, options, progress in
      var report = try app.verify(log, options: options, progress: progress)
      report.inspector = CommandLine.invocation
      guard updates, report.verdict == .diverged else { return report }
      return try Self.update(log, report, app, options, progress)
    }
    let input = LogInput(Services(command))
    verification.open = { try input.open($0) }
    verification.isInterrupted = { command.isInterrupted }
    verification.jobs = arguments.corpus.jobs.count
    verification.keepsGoing = arguments.corpus.keepGoing
    verification.allowsEmpty = arguments.corpus.allowEmpty
    verification.isStrict = arguments.corpus.strict
    verification.options = options
    let bar = ProgressBar(total: paths.count, printer.environment)
    defer { bar.clear() }
    let format = arguments.output.format
    return verification.run(paths) { log in
      bar.clear()
      if tellingLogs { tell(log, format) }
      bar.advance()
    }
  }

  /// Updates a log that diverged; returns the report of the new log, or of the old one with a note why it stays.
  private static func update(
    _ timeline: Timeline, _ diverged: ReplayReport, _ app: HostApp, _ options: Verification.Options,
    _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ReplayReport {
    let path = timeline.log.path
    var report = diverged
    guard timeline.log.storedPath == path else {
      report.notes.append(
        "not updated: only an uncompressed log in its own file can be rewritten")
      return report
    }
    let result: RecordingUpdate.Result
    do {
      result = try RecordingUpdate(of: timeline, in: app, options: options)
        .write(to: path, progress: progress)
    } catch let error as UpdateError {
      report.note(error)
      return report
    } catch let error as LogError {
      report.notes.append("not updated: \(error.message)")
      return report
    }
    report = try app.verify(
      Timeline(try LogFile.open(path)), options: options, progress: progress)
    report.notes.append(
      "updated: \(result.changedSteps) of \(result.steps.counted("step")) changed")
    return report
  }

  private var options: Verification.Options {
    var options = arguments.replay.verification
    options.runsTwice = arguments.twice
    return options
  }

  private func tell(_ log: VerifiedLog, _ format: OutputFormatName) {
    let text = format == .text ? log.text : JSON(message: log).printedLine
    do {
      try StandardStream.output.write(text)
    } catch {
      lost.withLock { $0 = $0 ?? error }
    }
  }
}
