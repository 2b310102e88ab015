import FluxRecordings
public import FluxRules
import Foundation
public import Testing

/// Expects that all recordings in a folder keep the rules of a file.
///
/// ```swift
/// @Test func rules() async throws {
///   try await expectRules("Recordings/Shop.rules", of: "Recordings")
/// }
/// ```
/// Each recording that breaks a rule is a separate issue, with the violated rules and their steps as its
/// text. A recording that is damaged or missing is an issue too. A rule that no recording triggers is a warning in the
/// output of the test. docs/rules.md describes the language.
///
/// - Parameters:
///   - rules: The file of rules, relative to the folder of the test's source.
///   - folder: The folder of the recordings, relative to the folder of the test's source; includes its subfolders.
///   - listing: The paths of the recordings in the folder, as an exact list; nil to accept all
///     recordings.
///   - sourceLocation: The location of the issues.
/// - Throws: `RuleError` with the line and the column of a mistake, file errors, and `CancellationError` if the test is
///   cancelled.
public func expectRules(
  _ rules: String, of folder: String, listing: [String]? = nil,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) async throws {
  let expectation = try RuleExpectation(at: URL(rules, besideSource: sourceLocation.filePath))
  let problems = try expectation.problems(
    in: URL(folder, besideSource: sourceLocation.filePath), listing: listing)
  for problem in problems {
    Issue.record(Comment(rawValue: problem), sourceLocation: sourceLocation)
  }
}

/// Expects that all recordings in a folder keep rules.
///
/// It reports the same issues as for a file of rules.
public func expectRules(
  _ rules: RuleSet, of folder: String, listing: [String]? = nil,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) async throws {
  let problems = try RuleExpectation(rules).problems(
    in: URL(folder, besideSource: sourceLocation.filePath), listing: listing)
  for problem in problems {
    Issue.record(Comment(rawValue: problem), sourceLocation: sourceLocation)
  }
}
