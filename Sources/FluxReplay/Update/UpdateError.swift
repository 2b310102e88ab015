package import FluxLog
import FluxSystem

/// The reason why a recording was not updated; the file has not changed.
package struct UpdateError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The obstacles to an update.
  package enum Reason: Equatable, Sendable {
    case continuousIntegration
    case damaged(Finding)
    case repaired(LogGap, line: Int)
    case incompatible([Incompatibility])
    case undecodable(step: UInt64, action: String, why: String)
    case needsSecret(step: UInt64, action: String)
    case redactedInput(place: String, step: UInt64, action: String)
    case dropped(step: UInt64, action: String)
    case effectNotStarted(String, step: UInt64, action: String)
    case wentBack(step: UInt64)
    case missingSteps(step: UInt64)
    case segment
    case inFlight(step: UInt64)
    case doesNotVerify(ReplayReport)
  }

  /// The path of the recording, as the caller gave it.
  package let path: String
  package let reason: Reason
  /// `false` if steps are missing in the recording, or the app went back to another model, so its actions alone do not
  /// repeat it.
  var isOneRun = true

  /// The path, the problem and the remedy; after them the report of a recording that would not pass.
  package var description: String {
    guard case .doesNotVerify(let report) = reason else { return headline.printable }
    return "\(headline.printable)\n\(report.text)"
  }

  private var headline: String {
    switch reason {
    case .repaired(_, let line): "\(path):\(line): not updated: \(summary)"
    case .undecodable(let step, _, _), .needsSecret(let step, _), .dropped(let step, _),
      .redactedInput(_, let step, _), .effectNotStarted(_, let step, _), .wentBack(let step),
      .missingSteps(let step), .inFlight(let step):
      "\(path): step \(step): not updated: \(summary)"
    case .continuousIntegration, .damaged, .incompatible, .segment, .doesNotVerify:
      "\(path): not updated: \(summary)"
    }
  }

  /// The problem and the remedy, on one line.
  package var summary: String {
    switch reason {
    case .continuousIntegration:
      "CI is set, so nobody would review the changes; update it on your own machine and commit it"
    case .damaged(let finding): "\(finding); repair the log, or record it again"
    case .repaired(let gap, _):
      (gap.from == gap.through
        ? "step \(gap.from) is damaged, so the states after it"
        : "steps \(gap.from) to \(gap.through) are damaged, so the states after them")
        + " are unknown; record it again"
    case .incompatible(let subjects): subjects.map(\.description).joined(separator: "; ")
    case .undecodable(_, let action, let why):
      "the app cannot decode \(action): \(why); add an alias or an upcaster to the app's Evolution, or record it again"
    case .needsSecret(_, let action):
      "\(action) needs the value of a secret, and the log has only a token; record it again"
    case .redactedInput(let place, _, let action):
      "the outcome of \(action) depends on a value that the log does not have, because it is redacted: \(place); "
        + "supply one in an upcaster of the app's Evolution, or record it again in the app"
    case .dropped(_, let action):
      "the app dropped \(action) or the store that it needs, and the step changed stores that the app still has; "
        + "record it again"
    case .effectNotStarted(let effect, _, let action):
      "\(action) no longer starts the effect \(effect), which dispatched a recorded step; record it again"
    case .wentBack(let step):
      "the app went back to another model before step \(step), which its actions alone do not repeat; record it again"
    case .missingSteps(let step):
      "steps before step \(step) are not in the log, so its actions alone do not lead to its states; record it again"
    case .segment:
      "the log is a segment, and a new recording of it would not belong to the next one; record them again"
    case .inFlight(let step):
      "the app ended when step \(step) was in flight, and a new recording would lose that; "
        + "repair the log with --app first, and review the repaired one"
    case .doesNotVerify where changesActions:
      "the app dispatches follow-ups that differ from the recorded ones, and an update rewrites only states; "
        + "record it again"
    case .doesNotVerify:
      "the app does not reach the states again that this update would write; find what its reducers take from outside "
        + "the step, such as the clock or random numbers, with 'verify --twice'"
    }
  }

  /// `true` if the app dispatches other follow-ups than the recording has, so that only
  /// ``RecordingUpdate/rerecord(to:progress:)`` can bring it up to date.
  package var changesActions: Bool {
    guard case .doesNotVerify(let report) = reason else { return false }
    return report.divergences.contains(where: \.changesActions)
  }

  /// A shell line that records the log again; nil if that would not help.
  ///
  /// The line dispatches the recorded actions on a fork, where the app dispatches the follow-ups of today, and
  /// puts the fork in the place of the log. Steps of effects that the app no longer starts are left out there.
  fileprivate func rerecording(app: String?, inspector: String) -> String? {
    let helps =
      switch reason {
      case .effectNotStarted, .dropped: true
      default: changesActions
      }
    guard helps, isOneRun, let app else { return nil }
    let copy =
      (path.hasSuffix(".jsonl") ? String(path.dropLast(6)) : path) + ".new.jsonl"
    let batch = ShellLine(inspector: inspector, log: path, app: app)
      .text(commands: ["redispatch ..", "save \(copy.commandWord)"])
    return "\(batch) && mv \(copy.shellPath) \(path.shellPath)"
  }
}

extension Timeline {
  func refusal(_ reason: UpdateError.Reason) -> UpdateError {
    var error = UpdateError(path: log.path, reason: reason)
    error.isOneRun = log.firstInterruption == nil
    return error
  }
}

extension ReplayReport {
  /// Adds a note that the diverged log was not updated, and why.
  package mutating func note(_ refusal: UpdateError) {
    let line = refusal.rerecording(app: app, inspector: inspector).map { ":\n\($0)" } ?? ""
    notes.append("not updated: \(refusal.summary.printable)\(line)")
  }
}
