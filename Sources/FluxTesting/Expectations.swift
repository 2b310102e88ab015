public import FluxCore
public import FluxRecorder
import FluxRecordings
public import FluxReplay
import Foundation
public import Testing

/// Expects that all recordings in a folder replay: the app produces the recorded states again.
///
/// ```swift
/// @Test func recordings() async throws {
///   try await expectReplay(of: "Recordings", stores: makeStores)
/// }
/// ```
/// Each recording that does not replay is a separate issue, with the report as its text. The
/// following are issues too: a missing recording, a recording that the test does not list, a
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
///   - sourceLocation: The location of the issues.
///   - stores: Creates fresh stores, the same as for the app's own dispatcher.
/// - Throws: `CancellationError` if the test is cancelled.
public func expectReplay(
  of folder: String, listing: [String]? = nil, evolution: Evolution = Evolution(),
  circumstances: [String: any Encodable & Sendable] = [:],
  options: Verification.Options = Verification.Options(), update: Bool = false,
  sourceLocation: Testing.SourceLocation = #_sourceLocation,
  stores: @escaping @Sendable () -> [any Store]
) async throws {
  try await expectReplay(
    of: folder, listing: listing,
    in: DispatcherApp(evolution: evolution, circumstances: circumstances, stores: stores),
    options: options, update: update, sourceLocation: sourceLocation)
}

/// Expects that all recordings in a folder replay in an app of any architecture.
///
/// ```swift
/// @Test func recordings() async throws {
///   try await expectReplay(of: "Recordings", in: notesApp)
/// }
/// ```
/// It reports the same issues as ``expectReplay(of:listing:evolution:circumstances:options:update:sourceLocation:stores:)``.
///
/// - Parameters:
///   - folder: The folder, relative to the folder of the test's source; includes its subfolders.
///   - listing: The paths of the recordings in the folder, as an exact list; nil to accept all
///     recordings.
///   - app: The app, for example a `ReducerApp`.
///   - options: The options of the verification.
///   - update: `true` to update recordings even if `FLUX_UPDATE` is not set.
///   - sourceLocation: The location of the issues.
/// - Throws: `CancellationError` if the test is cancelled.
public func expectReplay(
  of folder: String, listing: [String]? = nil, in app: some ReplayApp,
  options: Verification.Options = Verification.Options(), update: Bool = false,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) async throws {
  let expectation = ReplayExpectation(app, options: options)
  let problems = try await expectation.problems(
    in: URL(folder, besideSource: sourceLocation.filePath), listing: listing, updates: update)
  for problem in problems {
    Issue.record(Comment(rawValue: problem), sourceLocation: sourceLocation)
  }
}

/// Expects that a recording of a scenario replays, and creates the recording if it is missing.
///
/// ```swift
/// @Test func checkout() async throws {
///   try await expectRecording(named: "checkout", stores: makeStores) { dispatcher in
///     dispatcher.dispatch(CartAction.add("milk"))
///     await dispatcher.run(CartAction.pay)
///   }
/// }
/// ```
/// The scenario runs if the recording is missing. It also runs if the recording does not replay and
/// the environment variable `FLUX_UPDATE` is set. A new recording is kept only if it replays. If
/// `CI` is set, nothing is written, and a missing recording is an issue.
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
///   - sourceLocation: The location of the issues.
///   - stores: Creates fresh stores, the same as for the app's own dispatcher.
///   - scenario: Uses the app, live. Actions that its effects dispatch after it returns are not
///     recorded.
/// - Throws: The errors of the scenario, `CancellationError` if the test is cancelled, and file
///   errors.
nonisolated(nonsending) public func expectRecording(
  named name: String, in folder: String = "Recordings", evolution: Evolution = Evolution(),
  options: Verification.Options = Verification.Options(),
  recording: Recorder.Options = Recorder.Options(), update: Bool = false,
  sourceLocation: Testing.SourceLocation = #_sourceLocation,
  stores: @escaping @Sendable () -> [any Store],
  scenario: nonisolated(nonsending) (Dispatcher) async throws -> Void
) async throws {
  let expectation = ReplayExpectation(
    DispatcherApp(
      evolution: evolution, circumstances: recording.circumstances, stores: stores),
    options: options)
  let problems = try await expectation.problems(
    with: URL("\(folder)/\(name).jsonl", besideSource: sourceLocation.filePath), updates: update,
    recording: recording, stores: stores, scenario: scenario)
  for problem in problems {
    Issue.record(Comment(rawValue: problem), sourceLocation: sourceLocation)
  }
}
