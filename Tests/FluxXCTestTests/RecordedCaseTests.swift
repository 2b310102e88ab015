import FluxCore
import FluxXCTest
import TestFixtures
import XCTest

final class RecordedCaseTests: FailureCatcher {
  private struct Failed: Error {}

  private func use(_ test: RecordedCase) throws {
    let dispatcher = Dispatcher(makeStores())
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

  func testATestThatFailsLeavesItsLogs() async throws {
    let folder = try TemporaryFolder()
    let found = try await failures {
      XCTFail("before")
      try recorded(in: folder.url.path) { try use($0) }
      XCTAssertEqual(try folder.names(), [])
      try await recorded(in: folder.url.path) { test in
        await Task.yield()
        try use(test)
        try use(test)
        XCTFail("wrong")
      }
    }
    XCTAssertEqual(found.map(\.text), ["failed - before", "failed - wrong"])
    XCTAssertEqual(
      try folder.files().map { $0.key.components(separatedBy: "/").last }.sorted {
        $0 ?? "" < $1 ?? ""
      },
      ["1.jsonl", "2.jsonl"])
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
        try test.record(Dispatcher(makeStores()), named: "a")
        try test.record(Dispatcher(makeStores()), named: "a")
      }
    }
    XCTAssertEqual(found.map(\.line), [line])
    XCTAssertEqual(
      found.first?.text.contains("/a.jsonl: another recorder is writing this log;"), true)
  }
}
