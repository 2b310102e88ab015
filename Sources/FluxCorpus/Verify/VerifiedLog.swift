import FluxInspector
public import FluxLog
public import FluxReplay
import FluxSystem

/// The result of verifying one log.
public struct VerifiedLog: Sendable, Equatable {
  /// The ways in which a verification can end.
  public enum Outcome: Sendable, Equatable {
    /// The log was replayed.
    case report(ReplayReport)
    /// The app could not run the log.
    case failure(ReplayFailure)
    /// The log cannot be read.
    case unreadable(LogError)
    /// An earlier log failed, or the run was interrupted.
    case notRun
  }

  /// The log, as it was named.
  public var log: String
  /// The outcome.
  public var outcome: Outcome
  /// The duration in seconds.
  public var seconds = 0.0
  /// The line of the step at which the app failed, counted from 1; nil if it is unknown.
  public var failedLine: Int?
  /// `true` if a log without a step to compare passes.
  public var mayBeEmpty = false
  /// `true` if a log that was not closed fails.
  public var isStrict = false

  /// The outcomes in a word.
  public enum Result: String, Sendable, CaseIterable {
    case passed, diverged, incompatible, damaged, unclosed, empty, failed, unreadable
    case notRun = "not run"
  }

  /// The outcome in a word.
  public var result: Result {
    switch outcome {
    case .report(let report):
      switch report.verdict {
      case .passed where isStrict && !report.isClosed: .unclosed
      case .empty where isStrict && !report.isClosed: .unclosed
      case .passed: .passed
      case .diverged: .diverged
      case .incompatible: .incompatible
      case .damaged: .damaged
      case .empty: .empty
      }
    case .failure: .failed
    case .unreadable: .unreadable
    case .notRun: .notRun
    }
  }

  /// The exit code of this log alone: 0 if it passed, 1 if it diverged, 4 if it is damaged or, in a strict run, was
  /// not closed, 5 if it could not run or no step was compared.
  public var exitCode: Int32 {
    switch outcome {
    case .report where result == .unclosed: 4
    case .report(let report): report.verdict == .empty && mayBeEmpty ? 0 : report.exitCode
    case .failure: 5
    case .unreadable: 4
    case .notRun: 0
    }
  }

  /// The whole result for people: a line, followed by the details if the log did not pass.
  ///
  /// Each line can be shown as it is on a terminal and in the log of a CI service.
  public var text: String { lines.joined(separator: "\n") + "\n" }

  /// The lines of ``text``.
  var lines: [String] {
    let (prefix, lines) =
      switch outcome {
      case .report(let report) where result == .unclosed:
        ("unclosed: \(log.printable): fails with --strict; ", report.lines)
      case .report(let report): ("", report.lines)
      case .failure(let failure): ("failed: \(log.printable): ", failure.lines)
      case .unreadable(let error): ("unreadable: ", [error.message])
      case .notRun: ("not run: ", [log.printable])
      }
    return ["\(prefix)\(lines[0])"] + lines.dropFirst()
  }

  /// The remarks on a log that passed: what was not compared, and whether the log was closed; else empty.
  var remarks: [String] {
    guard exitCode == 0, case .report = outcome else { return [] }
    return lines.dropFirst().filter { !$0.isEmpty }
  }

  /// `true` if the log passed and was not closed.
  var passedUnclosed: Bool {
    guard exitCode == 0, case .report(let report) = outcome else { return false }
    return !report.isClosed
  }

  /// The line of the log that the finding is about, counted from 1.
  var line: Int {
    switch outcome {
    case .report(let report):
      report.divergences.first?.line ?? report.damage.first?.line ?? 1
    case .unreadable(let error): error.line ?? 1
    case .failure: failedLine ?? 1
    case .notRun: 1
    }
  }
}

extension VerifiedLog: Encodable {
  private enum CodingKeys: CodingKey { case log, result, seconds, error }

  /// Encodes the result: `{"log","result","seconds"}` and the members of the report, or `"error"`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(log, forKey: .log)
    try members.encode(result.rawValue, forKey: .result)
    try members.encode(seconds.roundedToMilliseconds, forKey: .seconds)
    switch outcome {
    case .report(let report): try report.encode(to: encoder)
    case .failure(let failure): try members.encode(failure.description, forKey: .error)
    case .unreadable(let error): try members.encode(error.message, forKey: .error)
    case .notRun: break
    }
  }
}

/// The results of verifying many logs in one run.
public struct VerifiedSuite: Sendable, Encodable {
  private enum CodingKeys: CodingKey { case logs, summary, seconds }

  /// The start of the run.
  public var began: LogInstant
  /// The duration in seconds.
  public var seconds: Double
  /// The logs, in the order of the arguments.
  public var logs: [VerifiedLog]

  /// The logs that ran and did not pass.
  public var failing: [VerifiedLog] { logs.filter { $0.exitCode != 0 } }

  /// The run in a line: `3 logs: 2 passed, 1 diverged`.
  public var summary: String {
    guard !logs.isEmpty else { return "no logs" }
    let counts = VerifiedLog.Result.allCases.compactMap { result in
      let count = logs.count { $0.result == result }
      return count == 0 ? nil : "\(count) \(result.rawValue)"
    }
    return "\(logs.count.counted("log")): \(counts.joined(separator: ", "))"
  }

  /// Encodes the run: `{"logs":[…],"summary","seconds"}`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(logs, forKey: .logs)
    try members.encode(summary, forKey: .summary)
    try members.encode(seconds.roundedToMilliseconds, forKey: .seconds)
  }
}
