import XCTest

/// A test case that notes failures, instead of failing, while it is told to.
class FailureCatcher: XCTestCase {
  struct Failure: Equatable {
    let text: String
    let line: Int
  }

  private var caught: [Failure]?

  /// The failures of a piece of a test.
  func failures(of body: () async throws -> Void) async rethrows -> [Failure] {
    caught = []
    defer { caught = nil }
    try await body()
    return caught ?? []
  }

  /// While failures are caught, a run that has them for its own.
  override var testRun: XCTestRun? {
    guard let caught else { return super.testRun }
    let run = CountingRun(test: self)
    run.count = caught.count
    return run
  }

  #if canImport(Darwin)
    override func record(_ issue: XCTIssue) {
      guard caught != nil else { return super.record(issue) }
      let line = issue.sourceCodeContext.location?.lineNumber ?? 0
      caught?.append(Failure(text: issue.compactDescription, line: line))
    }
  #else
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      guard caught != nil else {
        return super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
      caught?.append(Failure(text: description, line: lineNumber))
    }
  #endif
}

/// A run with `count` failures.
///
/// It inherits its initializer, which Apple's class, unlike that of Linux, does not require of subclasses.
private final class CountingRun: XCTestRun {
  var count = 0

  override var totalFailureCount: Int { count }
}
