import FluxCorpus
import FluxInspector
import FluxLog
import FluxReplay
import FluxSubcommands
import FluxSystem

/// The outcome of a review for a log: `{"log","result","steps"?,"changed"?,"error"?}`.
struct ReviewedLog: Encodable {
  private enum CodingKeys: CodingKey { case log, result, steps, changed, error }

  let log: String
  /// `rewritten`, `recorded again`, `rejected`, `skipped`, `undecided` or `failed`.
  let result: String
  /// The number of steps of a log that was rewritten.
  var steps: Int?
  /// The number of its steps that changed; nil if all of them were recorded again.
  var changed: Int?
  /// The reason why an accepted log stays as it is.
  var error: String?
  /// The reason why an undecided log stays as it is.
  var detail: String?

  /// `true` if the log has no divergence any more.
  var isAccepted: Bool { steps != nil }

  /// The outcome in a line for people.
  var text: String {
    var line = "\(result): \(log.printable)"
    if let steps {
      let count = "\(steps.counted("step"))"
      line += changed.map { ": \($0) of \(count) changed" } ?? ": \(count)"
    }
    if let reason = (error ?? detail)?.printableLines() {
      // The error of a log names the log as well.
      let name = "\(log.printable): "
      line += ": \(reason.hasPrefix(name) ? String(reason.dropFirst(name.count)) : reason)"
    }
    return line
  }
}

/// The rewriting of the logs that a review accepted.
struct LogAcceptance {
  private let app: any ReplayApp
  private let options: Verification.Options
  private let command: RunningCommand
  /// The files at the start of the review.
  private let files: [BytewiseName: FileStatus]

  /// Begins a review: a file that changes from now on is not rewritten.
  init(
    of paths: [String], app: any ReplayApp, _ options: Verification.Options, _ printer: Printer
  ) {
    (self.app, self.options, command) = (app, options, printer.command)
    files = Dictionary(
      paths.compactMap { path in FileStatus.known(at: path).map { (BytewiseName(path), $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Rewrites the accepted logs one after the other; returns the outcomes of all logs of the review.
  ///
  /// `tell` receives each outcome at once, and its errors end the work.
  func apply(
    _ review: Review, tell: (ReviewedLog) throws -> Void
  ) throws -> [ReviewedLog] {
    try review.logs.map { log in
      let result = outcome(of: log, review)
      command.clear()
      try tell(result)
      return result
    }
  }

  private func outcome(of log: String, _ review: Review) -> ReviewedLog {
    switch review.decision(about: log) {
    case .accepted: return rewrite(log)
    case let other?: return ReviewedLog(log: log, result: other.rawValue)
    case nil:
      var result = ReviewedLog(log: log, result: "undecided")
      let groups = review.groupsHolding(log).map { "\($0)" }
      let all = review.groups.count { $0.logs.contains { $0.hasSameBytes(as: log) } }
      if groups.count < all {
        result.detail =
          "not accepted in \(groups.count == 1 ? "group" : "groups") \(groups.joined(separator: ", "))"
      }
      return result
    }
  }

  private func rewrite(_ path: String) -> ReviewedLog {
    do {
      try check(path)
      let log = try LogInput(Services(command)).open(path)
      guard log.storedPath == path else { throw Refusal.storedElsewhere }
      let update = RecordingUpdate(of: Timeline(log), in: app, options: options)
      do {
        let written = try update.write(to: path) { try step(path, $0, $1) }
        var result = ReviewedLog(log: path, result: "rewritten")
        (result.steps, result.changed) = (written.steps, written.changedSteps)
        return result
      } catch let error as UpdateError where error.changesActions {
        var result = ReviewedLog(log: path, result: "recorded again")
        result.steps = try update.rerecord(to: path) { try step(path, $0, $1) }
        return result
      }
    } catch {
      var result = ReviewedLog(log: path, result: "failed")
      result.error =
        switch error {
        case let error as UpdateError: error.summary
        case let error as LogError: error.message
        default: "\(error)"
        }
      return result
    }
  }

  private func step(_ path: String, _ done: Int, _ total: Int) throws {
    if command.isInterrupted { throw ReplayFailure(.cancelled) }
    command.show(Progress(activity: "rewriting \(path)", done: done, total: total))
    try check(path)
  }

  /// Checks that nobody has changed a file since the review began.
  private func check(_ path: String) throws(Refusal) {
    guard let before = files[BytewiseName(path)], before == FileStatus.known(at: path) else {
      throw .changed
    }
  }
}

/// The reason why an accepted log is not rewritten.
private enum Refusal: String, Error, CustomStringConvertible {
  /// It is compressed, or comes from standard input.
  case storedElsewhere = "only an uncompressed log in its own file can be rewritten"
  /// The file changed while it was reviewed.
  case changed = "the file changed during the review, and stays as it is"

  var description: String { rawValue }
}
