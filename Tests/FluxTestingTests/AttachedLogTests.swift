import FluxCore
import FluxTesting
import Foundation
import TestFixtures
import Testing

#if os(Linux)
  /// Tests the attachments of a failed test, which runs in a separate process.
  ///
  /// Only Swift Testing itself knows the attachments. Linux only: elsewhere the tests are not a
  /// program that can be started.
  @Suite struct AttachedLogTests {
    private static let isInner = ProcessInfo.processInfo.environment["FLUX_FAILING_TEST"] != nil

    @Test("a test that fails, in the process of the other", .recorded, .enabled(if: isInner))
    func failing() {
      let dispatcher = Dispatcher(makeStores())
      dispatcher.record(named: "meter")
      dispatcher.dispatch(MeterAction.add(1))
      Issue.record("wrong")
    }

    @Test("the log of a test that fails is attached to it", .disabled(if: isInner))
    func attached() throws {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        at: folder.url("attachments"), withIntermediateDirectories: false)
      let process = Process()
      process.executableURL = Bundle.main.executableURL
      process.arguments = [
        "--testing-library", "swift-testing", "--filter", "AttachedLogTests/failing",
        "--attachments-path", folder.path("attachments"),
      ]
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["FLUX_FAILING_TEST": "1", "FLUX_RECORDINGS": folder.path("logs")]
      ) { _, ours in ours }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == EXIT_FAILURE)

      let log = "logs/FluxTestingTests-AttachedLogTests.failing/meter.jsonl"
      let files = try folder.files()
      #expect(files.keys.sorted() == ["attachments/meter.jsonl", log])
      #expect(files["attachments/meter.jsonl"] == files[log])
    }
  }
#endif
