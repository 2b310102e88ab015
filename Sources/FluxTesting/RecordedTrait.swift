import FluxRecordings
import Foundation
public import Testing

/// Gives each test a place for logs, and keeps them where the test fails.
///
/// ```swift
/// @Test(.recorded) func total() throws {
///   let dispatcher = Dispatcher(makeStores())
///   dispatcher.record()
///   …
/// }
/// ```
/// On a suite it holds for all of its tests.
public struct RecordedTrait: TestTrait, SuiteTrait, TestScoping {
  let folder: String?

  /// Whether tests inside suites inside have it too: they do.
  public var isRecursive: Bool { true }

  /// Runs a test, or one case of it, with a place for logs.
  ///
  /// A test fails by an issue, or by what it throws; known issues and warnings are no failures. The logs of
  /// one that failed are attached to it, and the commands that open them are printed.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The case.
  ///   - function: Runs it.
  /// - Throws: What the test throws.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let settings = TestSettings.current
    let file = test.sourceLocation.fileID.replacing(".swift", with: "")
    let recorded = RecordedTest(
      name: "\(file).\(test.name)",
      in: folder.map { URL($0, besideSource: test.sourceLocation.filePath) } ?? settings.folder)
    let failure = FailureFlag()
    let watch: IssueHandlingTrait = .compactMapIssues { issue in
      if issue.isFailure { failure.raise() }
      return issue
    }
    do {
      try await watch.provideScope(for: test, testCase: testCase) {
        try await RecordedTest.$current.withValue(recorded) { try await function() }
      }
    } catch {
      end(recorded, of: test, failed: true, settings)
      throw error
    }
    end(recorded, of: test, failed: failure.isRaised, settings)
  }

  private func end(
    _ recorded: RecordedTest, of test: Test, failed: Bool, _ settings: TestSettings
  ) {
    let ending = recorded.end(failed: failed)
    for problem in ending.problems {
      Issue.record(Comment(rawValue: problem), sourceLocation: test.sourceLocation)
    }
    for message in ending.messages { settings.say(message) }
    for log in ending.logs { attach(log, to: test) }
  }

  /// A log that cannot be read is an issue of its own: it must not hide what the test throws.
  private func attach(_ log: URL, to test: Test) {
    do {
      let bytes = [UInt8](try Data(contentsOf: log))
      Attachment.record(
        bytes, named: log.lastPathComponent, sourceLocation: test.sourceLocation)
    } catch {
      Issue.record(
        "\(log.path) cannot be attached: \(error)", sourceLocation: test.sourceLocation)
    }
  }
}

extension Trait where Self == RecordedTrait {
  /// Keeps the logs of dispatchers that the test records, where the test fails.
  ///
  /// They are kept where the environment variable `FLUX_RECORDINGS` says, or else in the system's
  /// temporary folder.
  public static var recorded: Self { RecordedTrait(folder: nil) }

  /// Keeps the logs of dispatchers that the test records, where the test fails, in a folder.
  ///
  /// - Parameter folder: The folder, from the folder of the test's source.
  /// - Returns: The trait.
  public static func recorded(in folder: String) -> Self { RecordedTrait(folder: folder) }
}

extension RecordedTest {
  /// The logs of the test that runs in this task.
  @TaskLocal static var current: RecordedTest?
}
