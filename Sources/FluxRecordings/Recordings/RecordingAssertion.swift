package import FluxCore
package import FluxRecorder
package import FluxReplay
import Foundation

/// A call in a test that asserts something about recordings.
package struct RecordingAssertion {
  private let file: String
  let report: (String) -> Void

  /// Describes a call.
  ///
  /// - Parameters:
  ///   - file: The test's source; paths are relative to its folder.
  ///   - report: Reports a problem at the line of the call.
  package init(in file: String, report: @escaping (String) -> Void) {
    self.file = file
    self.report = report
  }

  /// Reports the recordings of a folder that do not replay.
  package func replay(
    _ folder: String, listing: [String]?, in app: some ReplayApp, _ options: Verification.Options,
    updates: Bool
  ) async throws {
    let expectation = ReplayExpectation(app, options: options)
    let problems = try await expectation.problems(
      in: url(folder), listing: listing, updates: updates)
    problems.forEach(report)
  }

  /// Reports the problems with the recording of a scenario, which runs if there is none.
  nonisolated(nonsending) package func record(
    _ name: String, in app: AppDefinition<Never, Never>, folder: String,
    _ options: Verification.Options, recording: Recorder.Options, updates: Bool,
    scenario: nonisolated(nonsending) (Dispatcher) async throws -> Void
  ) async throws {
    let problems = try await RecordingExpectation(of: app, options: options).problems(
      with: url("\(folder)/\(name).jsonl"), updates: updates, recording: recording,
      scenario: scenario)
    problems.forEach(report)
  }

  /// The URL of a path from the folder of the test's source.
  func url(_ path: String) -> URL { URL(path, besideSource: file) }
}
