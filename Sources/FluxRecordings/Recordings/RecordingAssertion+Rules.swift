import FluxLog
import FluxReplay
package import FluxRules
import FluxSystem
import Foundation

extension RecordingAssertion {
  /// Reports the recordings of a folder that break a rule of a file.
  ///
  /// - Throws: `RuleError` with the line and the column of a mistake, and file errors.
  package func check(_ rules: String, of folder: String, listing: [String]?) throws {
    let file = url(rules)
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    try check(RuleSet(text, file: file.shownPath), of: folder, listing: listing)
  }

  /// Reports the recordings of a folder that break a rule.
  ///
  /// If `listing` is nil, all recordings in the folder are checked.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  package func check(_ rules: RuleSet, of folder: String, listing: [String]?) throws {
    let settings = TestSettings.current
    let contents = RecordingFolder(url: url(folder), listing: listing)
      .contents(isCI: settings.isCI)
    contents.problems.forEach(report)
    if rules.rules.isEmpty { report("there are no rules to check") }
    var check = RuleCheck(rules)
    check.check = { try Task.checkCancellation() }
    var checked: [CheckedLog] = []
    for segments in RuleCheck.recordings(of: contents.logs.map(\.path)) {
      do {
        checked.append(try check.run(segments))
      } catch let error as CancellationError {
        throw error
      } catch {
        report("\(segments.first?.printable ?? ""): \("\(error)".printableLines())")
      }
    }
    checked.findVacuousRules()
    for log in checked where !log.isKept { report(log.text) }
    for result in checked.first?.results ?? [] where result.verdict == .vacuous {
      settings.say("warning: the rule \(result.rule.name) was never triggered")
    }
  }
}

extension CheckedLog {
  /// `true` if no rule is violated, and no line is damaged.
  fileprivate var isKept: Bool {
    damage.isEmpty && !results.contains { $0.verdict == .violated }
  }

  fileprivate var text: String {
    lines { "swift run flux-inspect \($0.shellPath)" }.map(\.printable).joined(separator: "\n")
  }
}
