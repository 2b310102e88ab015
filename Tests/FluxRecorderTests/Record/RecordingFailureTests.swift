import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing

#if canImport(Glibc)
  import Glibc

  /// A disk that fails while an app is recorded.
  ///
  /// Linux only: the limit on the size of files is that of the whole process, so the test runs a process of
  /// its own.
  @Suite struct RecordingFailureTests {
    /// Limits the size of files, of this process and for good.
    private static func limitFiles(to byteCount: UInt) -> Bool {
      var limit = rlimit(rlim_cur: byteCount, rlim_max: byteCount)
      return unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
    }

    @Test("a ring without room is a failure that is logged, but no error of flush and close")
    func ring() async throws {
      let folder = try TemporaryFolder()
      let path = folder.path("cart.jsonl")
      await #expect(processExitsWith: .success) { [path = path as String] in
        try #require(Self.limitFiles(to: 20_000))
        let messages = LogMessages()
        let url = URL(filePath: path)
        let recorder = Recorder(to: url, logger: messages.logger)
        let dispatcher = Dispatcher([CartStore()])
        dispatcher.use(recorder)
        dispatcher.dispatch(CartAction.add("tea"))
        try recorder.flush()
        try recorder.close()
        let problem = LogError.Reason.inFlight(.smaller(byteCount: 16_384))
        #expect(recorder.failure == LogError(path: url.inFlight.path, reason: problem))
        #expect(
          messages.texts == [
            """
            warning: \(url.inFlight.path): the disk has no room for the file of actions in flight, \
            so it has only 16384 bytes; free some space
            """
          ])
      }
      #expect(try folder.names() == ["cart.jsonl"])
    }

    @Test("a disk that fails on the way is logged once and kept, and the app goes on")
    func fails() async throws {
      let folder = try TemporaryFolder()
      let path = folder.path("cart.jsonl")
      await #expect(processExitsWith: .success) { [path = path as String] in
        try #require(Self.limitFiles(to: 20_000))
        let messages = LogMessages()
        var options = Recorder.Options()
        options.log.inFlightByteCount = 4096
        // No step is dropped, so the steps fill the disk.
        options.log.overflow = .block
        let recorder = Recorder(
          to: URL(filePath: path), options: options, logger: messages.logger)
        let dispatcher = Dispatcher([CartStore()])
        dispatcher.use(recorder)
        for number in 1...1000 { dispatcher.dispatch(CartAction.add("item \(number)")) }

        let failure = LogError(path: path, reason: .system(operation: "write", code: EFBIG))
        #expect(throws: failure) { try recorder.flush() }
        #expect(dispatcher.dispatch(CartAction.add("one more")).result == .changed)
        #expect(throws: failure) { try recorder.close() }
        #expect(recorder.failure == failure)
        #expect(
          messages.texts == [
            "error: recording failed: \(path): cannot write: File too large"
          ])
        #expect(dispatcher[CartStore.self].items.count == 1001)
      }
      let log = try LogFile.open(path)
      try log.waitForIndex()
      #expect(log.findings.allSatisfy { !$0.problem.isDamage }, "\(log.findings)")
      #expect(log.count > 50 && log.count < 1000)
      #expect(log.end == LogEnd(steps: UInt64(log.count), isComplete: false))
      for position in 0..<log.count {
        #expect(try log.step(at: position).number == UInt64(position + 1))
      }
      let items = try Timeline(log).state(of: "cart", at: log.count - 1)?["items"]
      #expect(items?.count == log.count)
    }
  }
#endif
