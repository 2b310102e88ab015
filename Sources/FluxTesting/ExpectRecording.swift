public import FluxCore
public import FluxRecorder
import FluxRecordings
public import FluxReplay
import Foundation
public import Testing

/// Expects that a recording replays, and makes it where there is none: a regression test of a scenario.
///
/// ```swift
/// @Test func checkout() async throws {
///   try await expectRecording(named: "checkout", stores: makeStores) { dispatcher in
///     dispatcher.dispatch(CartAction.add("milk"))
///     await dispatcher.run(CartAction.pay)
///   }
/// }
/// ```
/// The scenario runs where the recording is missing, and where it does not replay and the environment
/// variable `FLUX_UPDATE` is set; a recording is kept only if it replays. With `CI` set nothing is ever
/// written, and a recording that is missing is an issue.
///
/// The recording is beside the test's source, not from a bundle. Once it is there, exclude its folder from the
/// test target, so that SwiftPM does not warn about files that it cannot handle:
/// ```swift
/// .testTarget(name: "ShopTests", dependencies: ["Shop"], exclude: ["Recordings"])
/// ```
///
/// - Parameters:
///   - name: The name of the recording, without `.jsonl`.
///   - folder: The folder that it is in, from the folder of the test's source.
///   - evolution: How the app has changed since the recording was made.
///   - options: How to verify.
///   - recording: How to record.
///   - update: Whether it is made anew without `FLUX_UPDATE`, too.
///   - sourceLocation: Where issues are recorded.
///   - stores: Makes fresh stores, those that the app's own dispatcher has.
///   - scenario: What is done with the app, live; what its effects dispatch after it ended is not recorded.
/// - Throws: What the scenario throws, `CancellationError` where the test is cancelled, and what goes
///   wrong in writing.
nonisolated(nonsending) public func expectRecording(
  named name: String, in folder: String = "Recordings", evolution: Evolution = Evolution(),
  options: Verification.Options = Verification.Options(),
  recording: Recorder.Options = Recorder.Options(), update: Bool = false,
  sourceLocation: Testing.SourceLocation = #_sourceLocation,
  stores: @escaping @Sendable () -> [any Store],
  scenario: nonisolated(nonsending) (Dispatcher) async throws -> Void
) async throws {
  let expectation = ReplayExpectation(
    Replayer(evolution: evolution, stores: stores), options: options)
  let problems = try await expectation.problems(
    with: URL("\(folder)/\(name).jsonl", besideSource: sourceLocation.filePath), updates: update,
    recording: recording, stores: stores, scenario: scenario)
  for problem in problems {
    Issue.record(Comment(rawValue: problem), sourceLocation: sourceLocation)
  }
}
