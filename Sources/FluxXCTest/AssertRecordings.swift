public import FluxCore
public import FluxRecorder
import FluxRecordings
public import FluxReplay
public import FluxRules
import XCTest

/// Asserts that all recordings in a folder replay: the app produces the recorded states again.
///
/// ```swift
/// func testRecordings() async throws {
///   try await assertReplay(of: "Recordings", in: shopApp)
/// }
/// ```
/// Each recording that does not replay is a separate failure, with the report as its text. The
/// following are failures too: a missing recording, a recording that the test does not list, a
/// recording without steps to compare, and a folder without recordings.
///
/// `listing` has the paths of the recordings in the folder, as an exact list, or nil to accept all. The folder is
/// relative to that of the test's source. If `update` is `true`, or `FLUX_UPDATE` is set, diverging recordings are
/// updated, but never if `CI` is set. <doc:TurnItIntoAnXCTest> explains both.
///
/// - Throws: `CancellationError` if the test is cancelled.
public func assertReplay(
  of folder: String, listing: [String]? = nil, in app: some ReplayApp,
  options: Verification.Options = Verification.Options(), update: Bool = false,
  file: StaticString = #filePath, line: UInt = #line
) async throws {
  try await assertion(at: file, line)
    .replay(folder, listing: listing, in: app, options, updates: update)
}

/// Asserts that a recording of a scenario replays, and creates the recording if it is missing.
///
/// ```swift
/// func testCheckout() async throws {
///   try await assertRecording(named: "checkout", in: shopApp) { dispatcher in
///     dispatcher.dispatch(CartAction.add("milk"))
///     await dispatcher.run(CartAction.pay)
///   }
/// }
/// ```
/// The scenario runs if the recording is missing. It also runs if the recording does not replay and
/// the environment variable `FLUX_UPDATE` is set. A new recording is kept only if it replays. If
/// `CI` is set, nothing is written, and a missing recording is a failure.
///
/// The recording has the circumstances of the app. Actions that effects dispatch after `scenario` returns are not
/// recorded. The other parameters are those of ``assertReplay(of:listing:in:options:update:file:line:)``.
///
/// - Throws: The errors of the scenario, `CancellationError` if the test is cancelled, and file
///   errors.
nonisolated(nonsending) public func assertRecording(
  named name: String, in app: AppDefinition<Never, Never>, folder: String = "Recordings",
  options: Verification.Options = Verification.Options(),
  recording: Recorder.Options = Recorder.Options(), update: Bool = false,
  file: StaticString = #filePath, line: UInt = #line,
  scenario: nonisolated(nonsending) (Dispatcher) async throws -> Void
) async throws {
  try await assertion(at: file, line).record(
    name, in: app, folder: folder, options, recording: recording, updates: update,
    scenario: scenario)
}

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
/// The paths and `listing` are those of ``assertReplay(of:listing:in:options:update:file:line:)``.
///
/// - Throws: `RuleError` with the line and the column of a mistake, file errors, and `CancellationError` if the test is
///   cancelled.
public func assertRules(
  _ rules: String, of folder: String, listing: [String]? = nil,
  file: StaticString = #filePath, line: UInt = #line
) async throws {
  try assertion(at: file, line).check(rules, of: folder, listing: listing)
}

/// Asserts that all recordings in a folder keep rules.
///
/// It reports the same failures as for a file of rules.
public func assertRules(
  _ rules: RuleSet, of folder: String, listing: [String]? = nil,
  file: StaticString = #filePath, line: UInt = #line
) async throws {
  try assertion(at: file, line).check(rules, of: folder, listing: listing)
}

/// Describes the assertion at a line of a test, whose problems are failures there.
private func assertion(at file: StaticString, _ line: UInt) -> RecordingAssertion {
  RecordingAssertion(in: "\(file)") { XCTFail($0, file: file, line: line) }
}
