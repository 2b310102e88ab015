import FluxLog
import FluxReplay
package import FluxRules
import FluxSystem
package import Foundation

/// The expectation that recordings keep rules.
package struct RuleExpectation: Sendable {
  private let rules: RuleSet
  private let settings: TestSettings

  package init(_ rules: RuleSet, settings: TestSettings = .current) {
    self.rules = rules
    self.settings = settings
  }

  /// Reads the rules of a file.
  ///
  /// - Throws: `RuleError` with the line and the column of a mistake, and file errors.
  package init(at url: URL, settings: TestSettings = .current) throws {
    let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    self.init(try RuleSet(text, file: url.shownPath), settings: settings)
  }

  /// Checks the rules in the recordings of a folder, and returns a message for each problem.
  ///
  /// If `listing` is nil, all recordings in the folder are checked.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  package func problems(in folder: URL, listing: [String]?) throws -> [String] {
    let contents = RecordingFolder(url: folder, listing: listing).contents(isCI: settings.isCI)
    var problems = contents.problems
    if rules.rules.isEmpty { problems.append("there are no rules to check") }
    var check = RuleCheck(rules)
    check.check = { try Task.checkCancellation() }
    var checked: [CheckedLog] = []
    for segments in RuleCheck.recordings(of: contents.logs.map(\.path)) {
      do {
        checked.append(try check.run(segments))
      } catch let error as CancellationError {
        throw error
      } catch {
        problems.append("\(segments.first?.printable ?? ""): \("\(error)".printableLines())")
      }
    }
    checked.findVacuousRules()
    for log in checked where !log.isKept { problems.append(log.text) }
    for result in checked.first?.results ?? [] where result.verdict == .vacuous {
      settings.say("warning: the rule \(result.rule.name) was never triggered")
    }
    return problems
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
