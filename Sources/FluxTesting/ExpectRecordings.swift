public import FluxCore
public import FluxRecorder
import FluxRecordings
public import FluxReplay
public import FluxRules
public import Foundation
public import Testing

/// Expects that all recordings in a folder replay: the app produces the recorded states again.
///
/// ```swift
/// @Test func recordings() async throws {
///   try await expectReplay(of: "Recordings", in: shopApp)
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
/// The folder is resolved relative to the test's source. Exclude it from the test target, so SwiftPM does not warn about
/// unhandled files:
/// ```swift outside
/// .testTarget(name: "ShopTests", dependencies: ["Shop"], exclude: ["Recordings"])
/// ```
/// On a device and in Xcode Cloud there is no source. There, make the folder a resource of the test target, and pass its
/// bundle, which is `Bundle.module` in a package:
/// ```swift outside
/// .testTarget(name: "ShopTests", dependencies: ["Shop"], resources: [.copy("Recordings")])
/// ```
/// Nothing in a bundle is written. If `FLUX_UPDATE` is set, an updated recording is attached to the result of the test,
/// and the test fails until the recording next to its source is replaced.
///
/// - Parameters:
///   - folder: The folder, relative to the folder of the test's source; includes its subfolders.
///   - listing: The paths of the recordings in the folder, as an exact list; nil to accept all
///     recordings.
///   - app: The app, usually an `AppDefinition`.
///   - bundle: The bundle that contains the folder; nil for the folder of the test's source.
///   - options: The options of the verification.
///   - update: `true` to update recordings even if `FLUX_UPDATE` is not set.
///   - sourceLocation: The location of the issues.
/// - Throws: `CancellationError` if the test is cancelled.
public func expectReplay(
  of folder: String, listing: [String]? = nil, in app: some ReplayApp, bundle: Bundle? = nil,
  options: Verification.Options = Verification.Options(), update: Bool = false,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) async throws {
  try await assertion(at: sourceLocation, bundle)
    .replay(folder, listing: listing, in: app, options, updates: update)
}

/// Expects that a recording of a scenario replays, and creates the recording if it is missing.
///
/// ```swift
/// @Test func checkout() async throws {
///   try await expectRecording(named: "checkout", in: shopApp) { dispatcher in
///     dispatcher.dispatch(CartAction.add("milk"))
///     await dispatcher.run(CartAction.pay)
///   }
/// }
/// ```
/// The scenario runs if the recording is missing. It also runs if the recording does not replay and
/// the environment variable `FLUX_UPDATE` is set. A new recording is kept only if it replays. If
/// `CI` is set, nothing is written.
///
/// A missing recording is an issue, also in the run that records it: look through the recording, commit it, and run the test
/// again. Only with `FLUX_UPDATE` does that run pass. If the folder cannot be written, as on a device, the new recording is
/// attached to the result of the test.
///
/// The folder is resolved as that of ``expectReplay(of:listing:in:bundle:options:update:sourceLocation:)``.
///
/// - Parameters:
///   - name: The name of the recording, without `.jsonl`.
///   - app: The app. The recording has its circumstances.
///   - folder: The folder of the recording, relative to the folder of the test's source.
///   - options: The options of the verification.
///   - recording: The options of the recorder.
///   - update: `true` to update the recording even if `FLUX_UPDATE` is not set.
///   - sourceLocation: The location of the issues.
///   - scenario: Uses the app, live. Actions that its effects dispatch after it returns are not
///     recorded.
/// - Throws: The errors of the scenario, `CancellationError` if the test is cancelled, and file
///   errors.
nonisolated(nonsending) public func expectRecording(
  named name: String, in app: AppDefinition<Never, Never>, folder: String = "Recordings",
  options: Verification.Options = Verification.Options(),
  recording: Recorder.Options = Recorder.Options(), update: Bool = false,
  sourceLocation: Testing.SourceLocation = #_sourceLocation,
  scenario: nonisolated(nonsending) (Dispatcher) async throws -> Void
) async throws {
  try await assertion(at: sourceLocation).record(
    name, in: app, folder: folder, options, recording: recording, updates: update,
    scenario: scenario)
}

/// Expects that all recordings in a folder satisfy the rules in a file.
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
/// The paths and `listing` are those of ``expectReplay(of:listing:in:bundle:options:update:sourceLocation:)``.
///
/// - Throws: `RuleError` with the line and the column of a mistake, `LogError` if the file cannot be read, and
///   `CancellationError` if the test is cancelled.
public func expectRules(
  _ rules: String, of folder: String, listing: [String]? = nil,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) async throws {
  try assertion(at: sourceLocation).check(rules, of: folder, listing: listing)
}

/// Expects that all recordings in a folder keep rules.
///
/// It reports the same issues as for a file of rules.
public func expectRules(
  _ rules: RuleSet, of folder: String, listing: [String]? = nil,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) async throws {
  try assertion(at: sourceLocation).check(rules, of: folder, listing: listing)
}

/// Describes the assertion at a place of a test, whose problems are issues there.
private func assertion(
  at place: Testing.SourceLocation, _ bundle: Bundle? = nil
) -> RecordingAssertion {
  RecordingAssertion(in: place.filePath, bundle: bundle) { file in
    try attach(file, at: place)
    return true
  } report: { problem in
    Issue.record(Comment(rawValue: problem), sourceLocation: place)
  }
}

/// Adds a file to the result of the running test.
func attach(_ file: URL, at place: Testing.SourceLocation) throws {
  let bytes = [UInt8](try Data(contentsOf: file))
  Attachment.record(bytes, named: file.lastPathComponent, sourceLocation: place)
}
