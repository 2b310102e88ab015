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
///   try await assertReplay(of: "Recordings", stores: makeStores)
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
///   - evolution: The changes to the app since the recordings were made.
///   - circumstances: The current flags and other constants, as in `Recorder.Options`. A report says which
///     of them differ from the recorded ones.
///   - options: The options of the verification.
///   - update: `true` to update recordings even if `FLUX_UPDATE` is not set.
///   - file: The test's source.
///   - line: The line of the failures.
///   - stores: Creates fresh stores, the same as for the app's own dispatcher.
/// - Throws: `CancellationError` if the test is cancelled.
public func assertReplay(
  of folder: String, listing: [String]? = nil, evolution: Evolution = Evolution(),
  circumstances: [String: any Encodable & Sendable] = [:],
  options: Verification.Options = Verification.Options(), update: Bool = false,
  file: StaticString = #filePath, line: UInt = #line,
  stores: @escaping @Sendable () -> [any Store]
) async throws {
  try await assertReplay(
    of: folder, listing: listing,
    in: DispatcherApp(evolution: evolution, circumstances: circumstances, stores: stores),
    options: options, update: update, file: file, line: line)
}

/// Asserts that all recordings in a folder replay in an app of any architecture.
///
/// ```swift
/// func testRecordings() async throws {
///   try await assertReplay(of: "Recordings", in: notesApp)
/// }
/// ```
/// It reports the same failures as ``assertReplay(of:listing:evolution:circumstances:options:update:file:line:stores:)``.
///
/// - Parameters:
///   - folder: The folder, relative to the folder of the test's source; includes its subfolders.
///   - listing: The paths of the recordings in the folder, as an exact list; nil to accept all
///     recordings.
///   - app: The app, for example a `ReducerApp`.
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
///   try await assertRecording(named: "checkout", stores: makeStores) { dispatcher in
///     dispatcher.dispatch(CartAction.add("milk"))
///     await dispatcher.run(CartAction.pay)
///   }
/// }
/// ```
/// The scenario runs if the recording is missing. It also runs if the recording does not replay and
/// the environment variable `FLUX_UPDATE` is set. A new recording is kept only if it replays. If
/// `CI` is set, nothing is written, and a missing recording is a failure.
///
/// The recording is read from a folder next to the test's source, not from a bundle. Exclude that
/// folder from the test target, so SwiftPM does not warn about unhandled files:
/// ```swift outside
/// .testTarget(name: "ShopTests", dependencies: ["Shop"], exclude: ["Recordings"])
/// ```
///
/// - Parameters:
///   - name: The name of the recording, without `.jsonl`.
///   - folder: The folder of the recording, relative to the folder of the test's source.
///   - evolution: The changes to the app since the recording was made.
///   - options: The options of the verification.
///   - recording: The options of the recorder.
///   - update: `true` to update the recording even if `FLUX_UPDATE` is not set.
///   - file: The test's source.
///   - line: The line of the failures.
///   - stores: Creates fresh stores, the same as for the app's own dispatcher.
///   - scenario: Uses the app, live. Actions that its effects dispatch after it returns are not
///     recorded.
/// - Throws: The errors of the scenario, `CancellationError` if the test is cancelled, and file
///   errors.
nonisolated(nonsending) public func assertRecording(
  named name: String, in folder: String = "Recordings", evolution: Evolution = Evolution(),
  options: Verification.Options = Verification.Options(),
  recording: Recorder.Options = Recorder.Options(), update: Bool = false,
  file: StaticString = #filePath, line: UInt = #line,
  stores: @escaping @Sendable () -> [any Store],
  scenario: nonisolated(nonsending) (Dispatcher) async throws -> Void
) async throws {
  let expectation = ReplayExpectation(
    DispatcherApp(
      evolution: evolution, circumstances: recording.circumstances, stores: stores),
    options: options)
  let problems = try await expectation.problems(
    with: URL("\(folder)/\(name).jsonl", besideSource: "\(file)"), updates: update,
    recording: recording, stores: stores, scenario: scenario)
  for problem in problems { XCTFail(problem, file: file, line: line) }
}
