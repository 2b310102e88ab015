public import FluxCore
public import FluxRecorder
import FluxRecordings
import Foundation
public import XCTest

/// A test that runs in `XCTestCase.recorded` and can record its dispatchers.
public struct RecordedCase: Sendable {
  private let test: RecordedTest
  private let settings = TestSettings.current
  /// Only failures during the run count.
  private let failureCount: Int
  private let file: StaticString
  private let line: UInt

  fileprivate init(
    of testCase: XCTestCase, in folder: String?, _ file: StaticString, _ line: UInt
  ) {
    test = RecordedTest(
      name: testCase.name,
      in: folder.map { URL($0, besideSource: "\(file)") } ?? settings.folder)
    (self.file, self.line) = (file, line)
    failureCount = testCase.testRun?.totalFailureCount ?? 0
  }

  /// Records a dispatcher into a log of the test, which is kept if the test fails.
  ///
  /// Each dispatcher of a test has a separate log, and steps are recorded with the source lines
  /// that dispatched them.
  ///
  /// - Parameters:
  ///   - dispatcher: The dispatcher.
  ///   - name: The log's name; nil to use the number of the dispatcher.
  ///   - options: The options of the recorder.
  /// - Returns: The recorder, for marks.
  /// - Throws: A file error if the log's folder cannot be created; an error if the test is over.
  @discardableResult
  public func record(
    _ dispatcher: Dispatcher, named name: String? = nil,
    options: Recorder.Options = Recorder.Options()
  ) throws -> Recorder {
    let recorder = try recorder(named: name, options: options)
    dispatcher.use(recorder)
    return recorder
  }

  /// Creates a recorder whose log belongs to the test, for an app without a dispatcher.
  ///
  /// - Parameters:
  ///   - name: The log's name; nil to use the number of the recorder.
  ///   - options: The options of the recorder.
  /// - Returns: The recorder.
  /// - Throws: As ``record(_:named:options:)``.
  public func recorder(
    named name: String? = nil, options: Recorder.Options = Recorder.Options()
  ) throws -> Recorder {
    try test.recorder(named: name, options: options)
  }

  fileprivate func end(_ testCase: XCTestCase, failed: Bool) {
    let now = testCase.testRun?.totalFailureCount ?? 0
    let ending = test.end(failed: failed || now > failureCount)
    for problem in ending.problems { XCTFail(problem, file: file, line: line) }
    for message in ending.messages { settings.say(message) }
    #if canImport(Darwin)
      for log in ending.logs { testCase.add(XCTAttachment(contentsOfFile: log)) }
    #endif
  }
}

extension XCTestCase {
  /// Runs a test with recorded dispatchers, and keeps their logs if the test fails.
  ///
  /// ```swift
  /// func testTotal() throws {
  ///   try recorded { test in
  ///     let dispatcher = Dispatcher(makeStores())
  ///     try test.record(dispatcher)
  ///     dispatcher.dispatch(CartAction.add("milk"))
  ///     XCTAssertEqual(dispatcher[CartStore.self].total, 120)
  ///   }
  /// }
  /// ```
  /// The test fails if an assertion in `body` fails or `body` throws an error. In that case the
  /// commands that open the logs are printed. On Apple platforms, the logs are also attached to the
  /// test.
  ///
  /// - Parameters:
  ///   - folder: The folder for the logs, relative to the folder of the test's source. If nil, the
  ///     environment variable `FLUX_RECORDINGS` sets the folder; by default it is in the system's
  ///     temporary folder.
  ///   - file: The test's source.
  ///   - line: The line of the failures of the recording itself.
  ///   - body: The test.
  /// - Returns: The result of `body`.
  /// - Throws: The errors of `body`.
  public func recorded<Result>(
    in folder: String? = nil, file: StaticString = #filePath, line: UInt = #line,
    _ body: (RecordedCase) throws -> Result
  ) rethrows -> Result {
    let run = RecordedCase(of: self, in: folder, file, line)
    do {
      let result = try body(run)
      run.end(self, failed: false)
      return result
    } catch {
      run.end(self, failed: true)
      throw error
    }
  }

  /// Runs an async test with recorded dispatchers, and keeps their logs if the test fails.
  ///
  /// It behaves like the synchronous overload.
  nonisolated(nonsending) public func recorded<Result>(
    in folder: String? = nil, file: StaticString = #filePath, line: UInt = #line,
    _ body: nonisolated(nonsending) (RecordedCase) async throws -> Result
  ) async rethrows -> Result {
    let run = RecordedCase(of: self, in: folder, file, line)
    do {
      let result = try await body(run)
      run.end(self, failed: false)
      return result
    } catch {
      run.end(self, failed: true)
      throw error
    }
  }
}
