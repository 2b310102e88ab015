import FluxCore
import FluxLog
import FluxRecorder
import FluxSystem
import Foundation
import TestFixtures
import Testing

/// Children that are forked from an app that is recorded, and run on without another program.
@Suite struct ForkedChildTests {
  /// Forks, and runs `body` in the child, which ends with success if it returns `true`.
  ///
  /// The child has only this thread. Locks that another thread held at the fork stay locked in it for ever, among them
  /// those that Swift's runtime takes when a generic type is used for the first time. So this process records once before
  /// it forks: afterwards neither its writing thread nor the child uses a type for the first time.
  ///
  /// - Returns: The status with which the child ended. A child that hangs ends with `SIGALRM`.
  private static func status(ofChild body: () throws -> Bool) throws -> Int32 {
    try recordOnce()
    typealias Fork = @convention(c) () -> pid_t
    // Swift hides the function.
    guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "fork") else { return -1 }
    let child = unsafe unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 {
      // Threads of a dispatch queue block all signals.
      var signals = sigset_t()
      _ = unsafe sigemptyset(&signals)
      _ = unsafe sigaddset(&signals, SIGALRM)
      _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      alarm(60)
      do { _exit(try body() ? 0 : 1) } catch { _exit(2) }
    }
    var status: Int32 = -1
    #expect(retrying { unsafe waitpid(child, &status, 0) } == child)
    return status
  }

  /// Records one step with a recorder and one without a dispatcher, each into a log of its own beside no other.
  private static func recordOnce() throws {
    let folder = try TemporaryFolder()
    for name in ["first.jsonl", "second.jsonl"] {
      let recorder = Recorder(to: URL(filePath: folder.path(name)))
      let dispatcher = Dispatcher([CartStore()])
      dispatcher.use(recorder)
      dispatcher.dispatch(CartAction.add("tea"))
      recorder.pause()
      recorder.mark("first")
      try recorder.flush()
      try recorder.close()
    }
    let recorder = Recorder(to: URL(filePath: folder.path("session.jsonl")))
    recorder.start(states: ["count": 0])
    recorder.record(NamedAction("set"), states: ["count": 1])
    try recorder.close()
    var options = LogWriter.Options()
    options.existing = .refuse
    let path = folder.path("writer.jsonl")
    let writer = try LogWriter(path: path, header: LogHeader(log: "first"), options: options)
    #expect(throws: LogError(path: path, reason: .locked)) {
      try LogWriter(path: path, header: LogHeader(log: "second"), options: options)
    }
    try writer.close()
  }

  @Test("a forked child runs on without a log, says so, and leaves the log of its parent alone")
  func recorder() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [folder = folder.path("") as String] in
      let url = URL(filePath: folder + "/cart.jsonl")
      let recorder = Recorder(to: url)
      let dispatcher = Dispatcher([CartStore()])
      dispatcher.use(recorder)
      dispatcher.dispatch(CartAction.add("tea"))
      let forked = LogError(path: url.path, reason: .forked)
      let status = try Self.status {
        // More than the queue of the writer has room for.
        for _ in 1...3000 { dispatcher.dispatch(CartAction.add("cup")) }
        recorder.pause()
        recorder.mark("child")
        var thrown: [LogError] = []
        do throws(LogError) { try recorder.flush() } catch { thrown.append(error) }
        do throws(LogError) { try recorder.close() } catch { thrown.append(error) }
        return recorder.failure == forked && thrown == [forked, forked] && recorder.url == url
          && dispatcher[CartStore.self].items.count == 3001
      }
      #expect(status == 0)
      try recorder.flush()
      #expect(try LogFile.open(url.path).inFlight() == [])
      dispatcher.dispatch(CartAction.add("milk"))
      try recorder.close()
      #expect(recorder.failure == nil)
    }
    let log = try LogFile.open(folder.path("cart.jsonl"))
    try log.waitForIndex()
    #expect(log.end == LogEnd(steps: 2, isComplete: true))
    #expect(try folder.names() == ["cart.jsonl"])
  }

  @Test("a forked child can record with a recorder of its own")
  func ownRecorder() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [folder = folder.path("") as String] in
      let url = URL(filePath: folder + "/cart.jsonl")
      let recorder = Recorder(to: url)
      let dispatcher = Dispatcher([CartStore()])
      dispatcher.use(recorder)
      dispatcher.dispatch(CartAction.add("tea"))
      let status = try Self.status {
        let own = Recorder(to: URL(filePath: folder + "/child.jsonl"))
        let dispatcher = Dispatcher([CartStore()])
        dispatcher.use(own)
        dispatcher.dispatch(CartAction.add("cup"))
        try own.close()
        return own.failure == nil
      }
      #expect(status == 0)
      try recorder.close()
    }
    for name in ["cart.jsonl", "child.jsonl"] {
      let log = try LogFile.open(folder.path(name))
      try log.waitForIndex()
      #expect(log.end == LogEnd(steps: 1, isComplete: true))
    }
  }

  @Test("a child neither takes nor releases the lock of its parent")
  func lock() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [folder = folder.path("") as String] in
      let path = folder + "/a.jsonl"
      var options = LogWriter.Options()
      options.existing = .refuse
      var writer: LogWriter? = try LogWriter(path: path, header: LogHeader(log: "parent"))
      let status = try Self.status {
        // The lock is the parent's, although this process has its descriptors, too.
        do throws(LogError) {
          _ = try LogWriter(path: path, header: LogHeader(log: "child"), options: options)
          return false
        } catch {
          writer = nil
          return error.reason == .locked
        }
      }
      #expect(status == 0)
      #expect(throws: LogError(path: path, reason: .locked)) {
        try LogWriter(path: path, header: LogHeader(log: "other"), options: options)
      }
      try writer?.close()
    }
  }

  @Test("a recorder without a dispatcher logs nothing in a forked child")
  func started() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [folder = folder.path("") as String] in
      let url = URL(filePath: folder + "/count.jsonl")
      let recorder = Recorder(to: url)
      recorder.start(states: ["count": 0])
      recorder.record(NamedAction("set"), states: ["count": 1])
      let status = try Self.status {
        let number = recorder.record(NamedAction("set"), states: ["count": 2])
        return number == nil && recorder.failure == LogError(path: url.path, reason: .forked)
      }
      #expect(status == 0)
      #expect(recorder.record(NamedAction("set"), states: ["count": 3]) == 2)
      try recorder.close()
    }
  }
}
