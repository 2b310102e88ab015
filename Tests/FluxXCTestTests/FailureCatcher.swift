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
    caught.map { CountingRun(self, count: $0.count) } ?? super.testRun
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

/// A run with so many failures.
private final class CountingRun: XCTestRun {
  private let count: Int

  init(_ test: XCTest, count: Int) {
    self.count = count
    super.init(test: test)
  }

  required init(test: XCTest) {
    count = 0
    super.init(test: test)
  }

  override var totalFailureCount: Int { count }
}
