public import FluxLog

/// Says why a recording cannot be brought up to date: it stays as it is.
public struct UpdateError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What stands in the way.
  public enum Reason: Equatable, Sendable {
    /// A run that nobody watches would approve of whatever the app does now.
    case continuousIntegration
    /// A line cannot be used.
    case damaged(Finding)
    /// Steps that a repair had left out hide the states behind them: the gap, and its line.
    case repaired(LogGap, line: Int)
    /// The app lacks something without which the log cannot be replayed.
    case incompatible([Incompatibility])
    /// The app cannot read an action.
    case undecodable(step: UInt64, action: String, why: String)
    /// The new recording would not pass: the report of verifying it.
    case doesNotVerify(report: String)
  }

  /// The recording, as it was named.
  public let path: String
  /// What stands in the way.
  public let reason: Reason

  /// What is wrong, and what to do about it.
  public var description: String {
    switch reason {
    case .continuousIntegration:
      "\(path): not updated: CI is set, and a recording is updated by somebody who reviews what changed; "
        + "update it on your own machine and commit it"
    case .damaged(let finding):
      "\(path): not updated: \(finding); repair the log, or record it anew"
    case .repaired(let gap, let line):
      "\(path):\(line): not updated: steps \(gap.from) to \(gap.through) are damaged, and the states behind "
        + "them are not known; record it anew"
    case .incompatible(let subjects):
      "\(path): not updated: \(subjects.map(\.description).joined(separator: "; "))"
    case .undecodable(let step, let action, let why):
      "\(path): step \(step): not updated: the app cannot read \(action): \(why); give the replayer an alias "
        + "or an upcaster, or record it anew"
    case .doesNotVerify(let report):
      "\(path): not updated: new states alone do not make it pass; where the actions differ, record it anew; "
        + "where the states differ at every run, find what the app takes from elsewhere\n\(report)"
    }
  }
}
