public import FluxLog
public import FluxReplay

/// What became of one log that was to be verified.
public struct VerifiedLog: Sendable, Equatable {
  /// The ways in which it can end.
  public enum Outcome: Sendable, Equatable {
    /// It was run again: what that has shown.
    case report(ReplayReport)
    /// The app could not run it.
    case failure(ReplayFailure)
    /// The log cannot be read.
    case unreadable(LogError)
    /// An earlier log failed, and nothing was to be done after that; or somebody interrupted.
    case notRun
  }

  /// The log, as it was named.
  public var log: String
  /// What became of it.
  public var outcome: Outcome
  /// How many seconds it took.
  public var seconds: Double
  /// The line of the step at which the app failed, counted from 1; nil where none is known.
  public var failedLine: Int?
  /// Whether it is a success that there was no step to compare.
  public var mayBeEmpty = false

  /// Makes an entry.
  public init(log: String, outcome: Outcome, seconds: Double = 0) {
    self.log = log
    self.outcome = outcome
    self.seconds = seconds
  }
}

extension VerifiedLog {
  /// What the log comes to, in a word.
  public enum Result: String, Sendable, CaseIterable {
    case passed, diverged, incompatible, damaged, empty, failed, unreadable
    case notRun = "not run"
  }

  /// What the log comes to.
  public var result: Result {
    switch outcome {
    case .report(let report):
      switch report.verdict {
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

  /// The code that this log alone would end a program with: 0 where it passed, 1 where the app behaves
  /// otherwise, 4 where the log is damaged, 5 where it could not be run, or nothing was compared.
  public var exitCode: Int32 {
    switch outcome {
    case .report(let report):
      switch report.verdict {
      case .passed: 0
      case .diverged: 1
      case .incompatible: report.severity == .impossible ? 5 : 1
      case .damaged: 4
      case .empty: mayBeEmpty ? 0 : 5
      }
    case .failure(let failure): failure.reason == .cancelled ? 130 : 5
    case .unreadable: 4
    case .notRun: 0
    }
  }

  /// All there is to say, in lines.
  var text: String {
    switch outcome {
    case .report(let report): report.text
    case .failure(let failure): "failed: \(log): \(failure)\n"
    case .unreadable(let error): "unreadable: \(error.message)\n"
    case .notRun: "not run: \(log)\n"
    }
  }

  /// The same in a line.
  var headline: String { text.prefix { $0 != "\n" }.description }

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
