public import FluxCore
public import FluxRecorder
import FluxRecordings
public import FluxReplay
import Foundation
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
/// If the environment variable `FLUX_UPDATE` is set, diverging recordings are updated with the
/// states that their actions lead to now. A recording that still fails with the new states stays
/// unchanged; record it again by hand. If `CI` is set, nothing is written.
///
/// The folder is resolved relative to the test's source, not to a bundle. Exclude it from the test
/// target, so SwiftPM does not warn about unhandled files:
/// ```swift outside
/// .testTarget(name: "ShopTests", dependencies: ["Shop"], exclude: ["Recordings"])
/// ```
///
/// - Parameters:
///   - folder: The folder, relative to the folder of the test's source; includes its subfolders.
///   - listing: The paths of the recordings in the folder, as an exact list; nil to accept all
///     recordings.
///   - app: The app, usually an `AppDefinition`.
///   - options: The options of the verification.
///   - update: `true` to update recordings even if `FLUX_UPDATE` is not set.
///   - file: The test's source.
///   - line: The line of the failures.
/// - Throws: `CancellationError` if the test is cancelled.
public func assertReplay(
  of folder: String, listing: [String]? = nil, in app: some ReplayApp,
  options: Verification.Options = Verification.Options(), update: Bool = false,
  file: StaticString = #filePath, line: UInt = #line
) async throws {
  let expectation = ReplayExpectation(app, options: options)
  let problems = try await expectation.problems(
    in: URL(folder, besideSource: "\(file)"), listing: listing, updates: update)
  for problem in problems { XCTFail(problem, file: file, line: line) }
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
/// The folder is resolved as that of ``assertReplay(of:listing:in:options:update:file:line:)``.
///
/// - Parameters:
///   - name: The name of the recording, without `.jsonl`.
///   - app: The app. The recording has its circumstances.
///   - folder: The folder of the recording, relative to the folder of the test's source.
///   - options: The options of the verification.
///   - recording: The options of the recorder.
///   - update: `true` to update the recording even if `FLUX_UPDATE` is not set.
///   - file: The test's source.
///   - line: The line of the failures.
///   - scenario: Uses the app, live. Actions that its effects dispatch after it returns are not
///     recorded.
/// - Throws: The errors of the scenario, `CancellationError` if the test is cancelled, and file
///   errors.
nonisolated(nonsending) public func assertRecording(
  named name: String, in app: AppDefinition<Never, Never>, folder: String = "Recordings",
  options: Verification.Options = Verification.Options(),
  recording: Recorder.Options = Recorder.Options(), update: Bool = false,
  file: StaticString = #filePath, line: UInt = #line,
  scenario: nonisolated(nonsending) (Dispatcher) async throws -> Void
) async throws {
  let problems = try await RecordingExpectation(of: app, options: options).problems(
    with: URL("\(folder)/\(name).jsonl", besideSource: "\(file)"), updates: update,
    recording: recording, scenario: scenario)
  for problem in problems { XCTFail(problem, file: file, line: line) }
}
