import FluxCommands
public import FluxInspector
import FluxJSON
public import FluxLog
import FluxReplay
public import FluxRules
import FluxSystem

/// Checks rules in many recordings, several at a time.
public struct CorpusRules: Sendable {
  /// The rules.
  public let rules: RuleSet
  /// The number of recordings that are checked at a time.
  public var jobs = 1
  /// `true` to go on after a recording that breaks a rule.
  public var keepsGoing = false
  /// `true` if a recording that was not closed does not pass, nor a rule that no recording triggered.
  public var isStrict = false
  /// The words that start the inspector in the shell lines that a result suggests; not quoted.
  public var invocation = "flux-inspect"
  /// Returns the file in which the log at a path is stored.
  package var place: @Sendable (String) throws -> LogPlace = { LogPlace($0) }
  /// Returns `true` to stop; called often.
  public var isInterrupted: @Sendable () -> Bool = { false }

  /// Makes a check.
  public init(_ rules: RuleSet) {
    self.rules = rules
  }

  /// Checks the recordings.
  ///
  /// - Parameters:
  ///   - recordings: The paths of the segments of each recording, in the order of the results.
  ///   - tell: Called after each recording, by one thread at a time.
  /// - Returns: The results, with the vacuous rules.
  public func run(
    _ recordings: [[String]], tell: @escaping @Sendable () -> Void = {}
  ) -> RuledSuite {
    let run = LogRun(
      count: recordings.count, jobs: jobs, work: { ruled(recordings[$0]) },
      notRun: { RuledLog(recordings[$0], outcome: .notRun) },
      isLast: { isInterrupted() || ($0.exitCode != 0 && !keepsGoing) },
      tell: { log in
        if case .notRun = log.outcome { return }
        tell()
      })
    var logs = run.results
    logs.finish()
    return RuledSuite(began: run.began, seconds: run.seconds, logs: logs)
  }

  private func ruled(_ paths: [String]) -> RuledLog {
    let clock = ContinuousClock.now
    var check = RuleCheck(rules)
    check.place = place
    check.check = { [isInterrupted] in
      if isInterrupted() { throw CommandError.cancelled }
    }
    var log: RuledLog
    do {
      log = RuledLog(paths, outcome: .checked(try check.run(paths)))
    } catch let error as LogError {
      log = RuledLog(paths, outcome: .failure(CommandError(.unreadable, error.message)))
    } catch let error as QueryError {
      log = RuledLog(paths, outcome: .failure(CommandError(.tooMuchWork, error)))
    } catch {
      let error = error as? CommandError ?? CommandError(.unreadable, "\(error)")
      log = RuledLog(paths, outcome: error.code == .cancelled ? .notRun : .failure(error))
    }
    log.seconds = (ContinuousClock.now - clock) / .seconds(1)
    log.isStrict = isStrict
    log.invocation = invocation
    return log
  }
}

/// The result of checking rules in one recording.
public struct RuledLog: Sendable {
  /// The ways in which a check can end.
  public enum Outcome: Sendable {
    /// The rules were checked.
    case checked(CheckedLog)
    /// The recording cannot be read, or a rule takes too much work.
    case failure(CommandError)
    /// An earlier recording broke a rule, or the run was interrupted.
    case notRun
  }

  /// The path of the recording; of the first segment, if it has several.
  public let log: String
  /// The outcome.
  public internal(set) var outcome: Outcome
  /// The duration in seconds.
  public internal(set) var seconds = 0.0
  var isStrict = false
  var invocation = "flux-inspect"

  init(_ paths: [String], outcome: Outcome) {
    log = paths.first ?? ""
    self.outcome = outcome
  }

  /// The exit code of this recording alone: 0 if it keeps the rules, 1 if it breaks one or, in a strict run, never triggers
  /// one, 4 if it is damaged or cannot be read, or was not closed in a strict run.
  public var exitCode: Int32 {
    switch outcome {
    case .checked(let checked):
      if checked.results.contains(where: { $0.verdict == .violated }) { return 1 }
      if problem != nil { return 4 }
      return checked.results.contains(where: isFailedAsVacuous) ? 1 : 0
    case .failure(let error): return error.exitCode
    case .notRun: return 0
    }
  }

  /// The reason in a word why a recording that was checked cannot pass: `damaged`, or `unclosed` in a strict run.
  var problem: String? {
    guard case .checked(let checked) = outcome else { return nil }
    if !checked.damage.isEmpty { return "damaged" }
    return isStrict && checked.ending != .closed ? "unclosed" : nil
  }

  /// `true` if a rule fails because no recording triggered it.
  func isFailedAsVacuous(_ result: RuleResult) -> Bool { isStrict && result.verdict == .vacuous }

  /// The outcome in a word.
  public var result: String {
    switch outcome {
    case .checked(let checked):
      switch exitCode {
      case 4: problem ?? checked.summary
      case 1 where checked.summary != RuleVerdict.violated.rawValue: RuleVerdict.vacuous.rawValue
      default: checked.summary
      }
    case .failure(let error): error.code == .unreadable ? "unreadable" : "failed"
    case .notRun: "not run"
    }
  }

  /// The whole result for people: a line, followed by the details.
  public var text: String { lines.map { $0 + "\n" }.joined() }

  /// The lines of ``text``.
  var lines: [String] {
    switch outcome {
    case .checked(let checked):
      checked.lines(result: result) { "\(invocation) \($0.shellPath)" }.map(\.printable)
    case .failure(let error):
      if error.code == .unreadable {
        ["unreadable: \([error.message, error.advice].compactMap(\.self).joined(separator: "; "))"]
      } else {
        // The error of an expression shows the expression, and its place on the next line.
        "\(result): \(log.printable): \(error)"
          .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      }
    case .notRun: ["not run: \(log.printable)"]
    }
  }
}

extension [RuledLog] {
  /// Finds what only all recordings together show; see `finish()` of the checked logs.
  fileprivate mutating func finish() {
    var places: [Int] = []
    var checked: [CheckedLog] = []
    for place in indices {
      guard case .checked(let log) = self[place].outcome else { continue }
      places.append(place)
      checked.append(log)
    }
    checked.finish()
    for (place, log) in zip(places, checked) { self[place].outcome = .checked(log) }
  }
}

/// The results of checking rules in many recordings.
public struct RuledSuite: Sendable, Encodable {
  private enum CodingKeys: CodingKey { case results, errors, summary, seconds }

  /// The start of the run.
  public let began: LogInstant
  /// The duration in seconds.
  public let seconds: Double
  /// The recordings, in the order of the arguments.
  public let logs: [RuledLog]

  /// The results of all rules, recording by recording.
  public var results: [RuleResult] {
    logs.flatMap { log -> [RuleResult] in
      guard case .checked(let checked) = log.outcome else { return [] }
      return checked.results
    }
  }

  /// The run in a line: `3 logs: 2 hold, 1 violated`.
  public var summary: String {
    guard !logs.isEmpty else { return "no logs" }
    var counts: [(result: String, count: Int)] = []
    for log in logs {
      if let place = counts.firstIndex(where: { $0.result == log.result }) {
        counts[place].count += 1
      } else {
        counts.append((log.result, 1))
      }
    }
    let parts = counts.map { "\($0.count) \($0.result)" }
    return "\(logs.count.counted("log")): \(parts.joined(separator: ", "))"
  }

  /// Encodes the run: `{"results":[…],"errors":[{"log","error"}],"summary","seconds"}`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(results, forKey: .results)
    let errors = logs.compactMap(RuledLogFailure.init)
    if !errors.isEmpty { try members.encode(errors, forKey: .errors) }
    try members.encode(summary, forKey: .summary)
    try members.encode(seconds.roundedToMilliseconds, forKey: .seconds)
  }
}

/// A recording that could not be checked, or is damaged, or was not closed in a strict run: `{"log","error"}`.
package struct RuledLogFailure: Encodable {
  let log: String
  let error: String

  /// Makes the failure of a recording; nil if it can pass.
  package init?(_ log: RuledLog) {
    self.log = log.log
    switch log.outcome {
    case .failure(let error): self.error = error.message
    case .checked(let checked):
      guard log.problem != nil else { return nil }
      let finding = checked.damage.first.map { "\($0.path): \($0.finding)" }
      guard let error = finding ?? checked.ending.reason else { return nil }
      self.error = error
    case .notRun: return nil
    }
  }
}
