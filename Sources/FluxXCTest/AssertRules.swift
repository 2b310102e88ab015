import FluxRecordings
public import FluxRules
import Foundation
import XCTest

/// Asserts that all recordings in a folder keep the rules of a file.
///
/// ```swift
/// func testRules() async throws {
///   try await assertRules("Recordings/Shop.rules", of: "Recordings")
/// }
/// ```
/// Each recording that breaks a rule is a separate failure, with the violated rules and their steps as its
/// text. A recording that is damaged or missing is a failure too. A rule that no recording triggers is a warning in the
/// output of the test. docs/rules.md describes the language.
///
/// - Parameters:
///   - rules: The file of rules, relative to the folder of the test's source.
///   - folder: The folder of the recordings, relative to the folder of the test's source; includes its subfolders.
///   - listing: The paths of the recordings in the folder, as an exact list; nil to accept all
///     recordings.
///   - file: The test's source.
///   - line: The line of the failures.
/// - Throws: `RuleError` with the line and the column of a mistake, file errors, and `CancellationError` if the test is
///   cancelled.
public func assertRules(
  _ rules: String, of folder: String, listing: [String]? = nil,
  file: StaticString = #filePath, line: UInt = #line
) async throws {
  let expectation = try RuleExpectation(at: URL(rules, besideSource: "\(file)"))
  let problems = try expectation.problems(
    in: URL(folder, besideSource: "\(file)"), listing: listing)
  for problem in problems { XCTFail(problem, file: file, line: line) }
}

/// Asserts that all recordings in a folder keep rules.
///
/// It reports the same failures as for a file of rules.
public func assertRules(
  _ rules: RuleSet, of folder: String, listing: [String]? = nil,
  file: StaticString = #filePath, line: UInt = #line
) async throws {
  let problems = try RuleExpectation(rules).problems(
    in: URL(folder, besideSource: "\(file)"), listing: listing)
  for problem in problems { XCTFail(problem, file: file, line: line) }
}
