public import FluxCore
public import FluxRecorder
import FluxRecordings
import Foundation
import Synchronization
public import Testing

/// Stores the logs of each test, and keeps them if the test fails.
///
/// ```swift
/// @Test(.recorded) func total() {
///   let dispatcher = Dispatcher(makeStores())
///   dispatcher.record()
///   dispatcher.dispatch(CartAction.add("milk"))
///   #expect(dispatcher[CartStore.self].total == 120)
/// }
/// ```
/// `Recorder.ofTest()` does the same for an app without a dispatcher. On a suite, the trait applies to all of its tests.
public struct RecordedTrait: TestTrait, SuiteTrait, TestScoping {
  let folder: String?

  /// `true`: the trait of a suite also applies to its nested suites.
  public var isRecursive: Bool { true }

  /// Runs a test or a test case with storage for its logs.
  ///
  /// A test fails if it records an issue or throws an error; known issues and warnings are not
  /// failures. The logs of a failed test are attached to it, and the commands that open them are
  /// printed.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The test case.
  ///   - function: Runs the test.
  /// - Throws: The errors of the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let settings = TestSettings.current
    let file = test.sourceLocation.fileID.replacing(".swift", with: "")
    let recorded = RecordedTest(
      name: "\(file).\(test.name)",
      in: folder.map { URL($0, besideSource: test.sourceLocation.filePath) } ?? settings.folder)
    RecordedTest.current?.replace()
    let hasFailed = Atomic(false)
    let watch: IssueHandlingTrait = .compactMapIssues { issue in
      if issue.isFailure { hasFailed.store(true, ordering: .relaxed) }
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
    end(recorded, of: test, failed: hasFailed.load(ordering: .relaxed), settings)
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

  /// Attaches a log to the test.
  ///
  /// An unreadable log is recorded as a separate issue, so it does not hide an error of the test.
  private func attach(_ log: URL, to test: Test) {
    do {
      try FluxTesting.attach(log, at: test.sourceLocation)
    } catch {
      Issue.record(
        Comment(rawValue: log.message("cannot be attached", error)),
        sourceLocation: test.sourceLocation)
    }
  }
}

extension Trait where Self == RecordedTrait {
  /// Keeps the logs of the test's recorded dispatchers if the test fails.
  ///
  /// The environment variable `FLUX_RECORDINGS` sets the folder. By default it is in the system's
  /// temporary folder.
  public static var recorded: Self { RecordedTrait(folder: nil) }

  /// Keeps the logs of the test's recorded dispatchers in `folder` if the test fails.
  ///
  /// - Parameter folder: The folder, relative to the folder of the test's source.
  /// - Returns: The trait.
  public static func recorded(in folder: String) -> Self { RecordedTrait(folder: folder) }
}

extension RecordedTest {
  /// The logs of the test that runs in the current task.
  @TaskLocal static var current: RecordedTest?
}

extension Recorder {
  /// Creates a recorder whose log belongs to the running test, for an app without a dispatcher.
  ///
  /// ```swift
  /// @Test(.recorded) func total() throws {
  ///   let recorder = try Recorder.ofTest()
  ///   var cart: [String] = []
  ///   recorder.start(states: ["cart": cart])
  ///   cart.append("milk")
  ///   recorder.record(CartAction.add("milk"), states: ["cart": cart])
  ///   #expect(cart == ["milk"])
  /// }
  /// ```
  /// The test needs the trait ``RecordedTrait``, which keeps the log if the test fails. Call this in a task of the test: a
  /// detached task does not know its test.
  ///
  /// - Parameters:
  ///   - name: The log's name; nil to use the number of the recorder.
  ///   - options: The options of the recorder.
  /// - Returns: The recorder.
  /// - Throws: An error if no such test is running, or if the folder of its logs cannot be created.
  public static func ofTest(
    named name: String? = nil, options: Recorder.Options = Recorder.Options()
  ) throws -> Recorder {
    guard let test = RecordedTest.current else { throw NoRecordedTest() }
    return try test.recorder(named: name, options: options)
  }
}

/// The error of a recorder for a test that is not recorded.
private struct NoRecordedTest: Error, CustomStringConvertible {
  let description =
    "nothing is recorded: give the test the trait .recorded, and call this within the test's task"
}

extension Dispatcher {
  /// Records the dispatcher into a log of the running test, which needs the trait
  /// ``RecordedTrait``.
  ///
  /// The log is kept if the test fails. Each dispatcher of a test has a separate log, and steps are
  /// recorded with the source lines that dispatched them. Call this in a task of the test: a
  /// detached task does not know its test.
  ///
  /// - Parameters:
  ///   - name: The log's name; nil to use the number of the dispatcher.
  ///   - options: The options of the recorder.
  ///   - sourceLocation: The location of the issue if the dispatcher cannot be recorded.
  /// - Returns: The recorder, for marks; nil if the dispatcher cannot be recorded, which is an
  ///   issue.
  @discardableResult
  public func record(
    named name: String? = nil, options: Recorder.Options = Recorder.Options(),
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) -> Recorder? {
    do {
      let recorder = try Recorder.ofTest(named: name, options: options)
      use(recorder)
      return recorder
    } catch let error as NoRecordedTest {
      Issue.record(Comment(rawValue: error.description), sourceLocation: sourceLocation)
      return nil
    } catch {
      Issue.record(error, "nothing is recorded", sourceLocation: sourceLocation)
      return nil
    }
  }
}
