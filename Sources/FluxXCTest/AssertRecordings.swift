public import FluxCore
public import FluxRecorder
import FluxRecordings
public import FluxReplay
public import FluxRules
public import Foundation
import XCTest

/// Asserts that all recordings in a folder replay: the app produces the recorded states again.
///
/// ```swift
/// func testRecordings() async throws {
///   try await assertReplay(of: "Recordings", in: shopApp)
/// }
/// ```
/// It does the same as FluxTesting's `expectReplay`, and each problem is a failure at this line. The folder is relative to
/// that of the test's source. `listing` has the paths of the recordings in it, as an exact list, or nil to accept all. If
/// `update` is `true`, or `FLUX_UPDATE` is set, diverging recordings are updated, but never if `CI` is set.
/// <doc:TurnItIntoAnXCTest> explains both. Where the test's source is missing, pass a `bundle` with the folder. Nothing in it
/// is written: an updated recording is attached to the test, and on systems other than Apple's it is kept in a temporary
/// folder. The test fails until the recording next to its source is replaced.
///
/// - Throws: `CancellationError` if the test is cancelled.
public func assertReplay(
  of folder: String, listing: [String]? = nil, in app: some ReplayApp, bundle: Bundle? = nil,
  options: Verification.Options = Verification.Options(), update: Bool = false,
  file: StaticString = #filePath, line: UInt = #line
) async throws {
  try await assertion(at: file, line, bundle)
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
/// It does the same as FluxTesting's `expectRecording`: the scenario runs if the recording is missing, or if it does not
/// replay and `FLUX_UPDATE` is set. A missing recording is a failure, also in the run that records it, unless `FLUX_UPDATE` is
/// set. Actions that effects dispatch after `scenario` returns are not recorded. The other
/// parameters are those of ``assertReplay(of:listing:in:bundle:options:update:file:line:)``.
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

/// Asserts that all recordings in a folder satisfy the rules in a file.
///
/// ```swift
/// func testRules() async throws {
///   try await assertRules("Recordings/Shop.rules", of: "Recordings")
/// }
/// ```
/// It does the same as FluxTesting's `expectRules`. The paths and `listing` are those of
/// ``assertReplay(of:listing:in:bundle:options:update:file:line:)``. docs/rules.md describes the language.
///
/// - Throws: `RuleError` with the line and the column of a mistake, `LogError` if the file cannot be read, and
///   `CancellationError` if the test is cancelled.
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
private func assertion(
  at file: StaticString, _ line: UInt, _ bundle: Bundle? = nil
) -> RecordingAssertion {
  RecordingAssertion(in: "\(file)", bundle: bundle, attach: attach) {
    XCTFail($0, file: file, line: line)
  }
}

/// Adds a file to the result of the running test; returns `false` on systems whose XCTest has no attachments.
nonisolated(nonsending) private func attach(_ file: URL) async throws -> Bool {
  #if canImport(Darwin)
    let (bytes, name) = (try Data(contentsOf: file), file.lastPathComponent)
    await MainActor.run {
      XCTContext.runActivity(named: "New recording") { activity in
        let attachment = XCTAttachment(data: bytes)
        (attachment.name, attachment.lifetime) = (name, .keepAlways)
        activity.add(attachment)
      }
    }
    return true
  #else
    return false
  #endif
}
