import FluxRecordings
import Foundation
public import XCTest

extension XCTestCase {
  /// Runs a test whose dispatchers are recorded, and keeps their logs where it fails.
  ///
  /// ```swift
  /// func testTotal() throws {
  ///   try recorded { test in
  ///     let dispatcher = Dispatcher(makeStores())
  ///     try test.record(dispatcher)
  ///     …
  ///   }
  /// }
  /// ```
  /// The test fails by an assertion in `body`, or by what that throws. Then the commands that open the logs
  /// are printed, and the logs are attached where XCTest has attachments.
  ///
  /// - Parameters:
  ///   - folder: Where logs are kept, from the folder of the test's source; where the environment variable
  ///     `FLUX_RECORDINGS` says, or in the system's temporary folder, if there is none.
  ///   - file: The test's source.
  ///   - line: The line where a recording that failed is told.
  ///   - body: The test.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public func recorded<Result>(
    in folder: String? = nil, file: StaticString = #filePath, line: UInt = #line,
    _ body: (RecordedCase) throws -> Result
  ) rethrows -> Result {
    let run = RecordedRun(of: self, in: folder, file, line)
    do {
      let result = try body(RecordedCase(test: run.test))
      run.end(failed: false)
      return result
    } catch {
      run.end(failed: true)
      throw error
    }
  }

  /// Runs a test whose dispatchers are recorded, and which waits, and keeps their logs where it fails.
  ///
  /// Like the one that does not wait.
  ///
  /// - Parameters:
  ///   - folder: Where logs are kept, from the folder of the test's source; where the environment variable
  ///     `FLUX_RECORDINGS` says, or in the system's temporary folder, if there is none.
  ///   - file: The test's source.
  ///   - line: The line where a recording that failed is told.
  ///   - body: The test.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  nonisolated(nonsending) public func recorded<Result>(
    in folder: String? = nil, file: StaticString = #filePath, line: UInt = #line,
    _ body: nonisolated(nonsending) (RecordedCase) async throws -> Result
  ) async rethrows -> Result {
    let run = RecordedRun(of: self, in: folder, file, line)
    do {
      let result = try await body(RecordedCase(test: run.test))
      run.end(failed: false)
      return result
    } catch {
      run.end(failed: true)
      throw error
    }
  }
}

/// A run of a test, from the failures that it had before.
private struct RecordedRun {
  let test: RecordedTest
  private let testCase: XCTestCase
  private let settings: TestSettings
  private let failureCount: Int
  private let file: StaticString
  private let line: UInt

  init(of testCase: XCTestCase, in folder: String?, _ file: StaticString, _ line: UInt) {
    let settings = TestSettings.current
    test = RecordedTest(
      name: testCase.name,
      in: folder.map { URL($0, besideSource: "\(file)") } ?? settings.folder)
    self.testCase = testCase
    self.settings = settings
    self.file = file
    self.line = line
    failureCount = testCase.testRun?.totalFailureCount ?? 0
  }

  func end(failed: Bool) {
    let now = testCase.testRun?.totalFailureCount ?? 0
    let ending = test.end(failed: failed || now > failureCount)
    for problem in ending.problems { XCTFail(problem, file: file, line: line) }
    for message in ending.messages { settings.say(message) }
    #if canImport(Darwin)
      for log in ending.logs { testCase.add(XCTAttachment(contentsOfFile: log)) }
    #endif
  }
}
