import FluxCore
import FluxRecorder
import FluxRecordings
import FluxXCTest
import TestFixtures
import XCTest

final class RecordedCaseTests: FailureCatcher {
  private struct Failed: Error {}

  /// The printed messages.
  private final class Messages: @unchecked Sendable {
    // Sendable: guarded by `lock`.
    private let lock = Lock()
    private var lines: [String] = []

    var texts: [String] { lock.withLock { lines } }

    func say(_ text: String) { lock.withLock { lines.append(text) } }
  }

  private func use(_ test: RecordedCase) throws {
    let dispatcher = Dispatcher([LampStore()])
    try test.record(dispatcher)
    dispatcher.dispatch(LampAction.brighten)
  }

  func testATestThatPassesLeavesNothingAndReturnsWhatItsBodyDoes() async throws {
    let folder = try TemporaryFolder()
    let one = try recorded(in: folder.url.path) { test in
      try use(test)
      return 1
    }
    let two = try await recorded(in: folder.url.path) { test in
      await Task.yield()
      try use(test)
      return 2
    }
    XCTAssertEqual([one, two], [1, 2])
    XCTAssertEqual(try folder.names(), [])
  }

  func testATestThatFailsLeavesItsLogsAndSaysWhatOpensThem() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    let messages = Messages()
    let settings = TestSettings(environment: [:]) { messages.say($0) }
    let found = try await failures {
      try await TestSettings.$current.withValue(settings) {
        XCTFail("before")
        try recorded(in: path) { try use($0) }
        XCTAssertEqual(try folder.names(), [])
        try await recorded(in: path) { test in
          await Task.yield()
          try use(test)
          try use(test)
          XCTFail("wrong")
        }
      }
    }
    XCTAssertEqual(found.map(\.text), ["failed - before", "failed - wrong"])
    // The test is called otherwise by the XCTest of each platform.
    let test = try XCTUnwrap(try folder.names().first)
    XCTAssertEqual(try folder.names(), [test, "\(test)/1.jsonl", "\(test)/2.jsonl"])
    XCTAssertEqual(
      messages.texts,
      (1...2).map { log in
        """
        kept the log of the test \(test): \
        \(path)/\(test)/\(log).jsonl
          it has all actions and states in plain text, nothing redacted; look for secrets \
        before you commit or share it
          step through it: swift run flux-inspect \(path)/\(test)/\(log).jsonl -g end
        """
      })
  }

  func testATestThatThrowsLeavesItsLogs() throws {
    let folder = try TemporaryFolder()
    XCTAssertThrowsError(
      try recorded(in: folder.url.path) { test in
        try use(test)
        throw Failed()
      }
    ) { XCTAssert($0 is Failed) }
    XCTAssertEqual(try folder.files().count, 1)
  }

  func testARecordingThatFailsIsAFailure() async throws {
    let folder = try TemporaryFolder()
    let line = #line + 2
    let found = try await failures {
      try recorded(in: folder.url.path) { test in
        let first = try test.record(Dispatcher([LampStore()]), named: "a")
        try FileManager.default.createDirectory(
          at: first.url.deletingLastPathComponent().appending(path: "b.jsonl"),
          withIntermediateDirectories: false)
        try test.record(Dispatcher([LampStore()]), named: "b")
      }
    }
    let log = try XCTUnwrap(try folder.names().first { $0.hasSuffix("/b.jsonl") })
    let why = "this is a folder; pass the URL of a file in it, or use Recorder(in:name:)"
    let text = "failed - \(folder.url.path)/\(log): cannot record: \(why)"
    XCTAssertEqual(found, [Failure(text: text, line: line)])
  }
}
