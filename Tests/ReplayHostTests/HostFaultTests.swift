import FluxHost
import FluxJSON
import FluxLog
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Apps that crash, hang or leave while they are being replayed.
@Suite(.waiting) struct HostFaultTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A limit that a working host meets even on a busy machine, and that a test can wait for twice.
  private static let timeout = 1.0

  /// Returns a session's report of the actions, with the app's path as `HOST`.
  private func report(
    _ actions: [ReplayAction], timeout: Double? = nil, in start: SessionStart = .replay()
  ) throws -> String? {
    let session = try Subjects.counter(limits: .call(timeout)).start(start)
    let failure = #expect(throws: ReplayFailure.self) { try session.dispatch(actions) }
    let after = #expect(throws: ReplayFailure.self) { try session.states() }
    #expect(after?.reason == .ended)
    let path = BuiltProduct.path("CounterHost")
    return failure?.description.replacing(path, with: "HOST")
  }

  #if arch(x86_64) || arch(i386)
    private static let trap = "signal 4 (SIGILL)"
  #else
    private static let trap = "signal 5 (SIGTRAP)"
  #endif

  @Test("a trap among many actions is found, with its step, action and message")
  func trap() throws {
    var actions: [ReplayAction] = .additions(40)
    actions[16].action = ["type": "counter/trap"]
    let report = try report(actions)
    #expect(
      report == """
        HOST: step 17, counter/trap: the app was terminated by \(Self.trap); run it in a debugger and \
        dispatch the actions up to this step to see why
          its last lines on standard error:
            Counter/Mischief.swift:28: Fatal error: the counter is broken
        """)
  }

  @Test("a trap in a simulation is found")
  func trapInSimulation() throws {
    var start = SessionStart.replay()
    start.mode = .simulate
    var actions: [ReplayAction] = .recorded(
      "counter/add", "counter/double", "counter/trap", "counter/add")
    for index in actions.indices { actions[index].number = nil }
    let report = try report(actions, in: start)
    #expect(report?.hasPrefix("HOST: step 4, counter/trap: the app was terminated by") == true)
  }

  @Test("a host that is aborted or exits is reported with the signal or the status")
  func endings() throws {
    #expect(
      try report(.recorded("counter/add", "counter/exit", "counter/add")) == """
        HOST: step 2, counter/exit: the app exited with status 7; run it in a debugger and dispatch \
        the actions up to this step to see why
        """)
    #expect(
      try report(.recorded("counter/print", "counter/abort")) == """
        HOST: step 2, counter/abort: the app was terminated by signal 6 (SIGABRT); run it in a debugger \
        and dispatch the actions up to this step to see why
          its last lines on standard error:
            the counter prints
        """)
  }

  @Test("an endless step is found, and stopped with its child processes")
  func hang() throws {
    let file = folder.path("child")
    var actions: [ReplayAction] = .recorded("counter/add", "counter/hang-with-child")
    actions[1].action = [
      "type": "counter/hang-with-child", "payload": ["file": .init(stringLiteral: file)],
    ]
    #expect(
      try report(actions, timeout: Self.timeout) == """
        HOST: step 2, counter/hang-with-child: the app did not answer within 1.0 s and was stopped; \
        allow it more time, or look for a reducer that does not return
        """)
    let child = try #require(Int32(try folder.text(of: "child").dropLast()))
    // The system collects the killed children of a killed host at a time of its own.
    var rounds = 0
    while kill(child, 0) == 0, !Self.isZombie(child), rounds < 5000 {
      usleep(1000)
      rounds += 1
    }
    #expect(rounds < 5000, "the child \(child) is alive")
  }

  private static func isZombie(_ process: Int32) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return status?.contains(") Z ") ?? false
  }

  @Test("a host that closes its output and keeps running is stopped")
  func silence() throws {
    #expect(
      try report(.recorded("counter/fall-silent")) == """
        HOST: step 1, counter/fall-silent: the app broke the protocol: the end of its standard output \
        while it is still running; expected an answer
        """)
  }

  @Test("a crash that does not repeat is reported as such")
  func once() throws {
    let file = try folder.write([], to: "once")
    var actions: [ReplayAction] = .additions(3)
    actions[1].action = [
      "type": "counter/trap-once", "payload": ["file": .init(stringLiteral: file)],
    ]
    #expect(
      try report(actions) == """
        HOST: the app was terminated by \(Self.trap); run it in a debugger to see why; it \
        happened at one of the steps 1 to 3; dispatched one by one in a fresh process, none of them failed
          its last lines on standard error:
            Counter/Mischief.swift:37: Fatal error: the counter is broken for once
        """)
  }

  @Test("the next session after a crash has a new host")
  func nextSession() throws {
    let app = Subjects.counter()
    for _ in 0..<2 {
      let session = try app.start(.replay())
      #expect(throws: ReplayFailure.self) { try session.dispatch(.recorded("counter/trap")) }
    }
    #expect(try app.start(.replay()).dispatch(.additions(1)).count == 1)
  }

  @Test("cancelling stops waiting for an app that hangs")
  func cancellation() throws {
    let asked = Askings()
    let app = Subjects.counter { asked.increase() > 8 }
    let session = try app.start(.replay())
    asked.begin()
    let failure = #expect(throws: ReplayFailure.self) {
      try session.dispatch(.recorded("counter/hang"))
    }
    #expect(failure?.reason == .cancelled)
  }
}

/// Counts calls from one thread.
private final class Askings: @unchecked Sendable {
  // Sendable: only the thread that waits for the app calls it.
  private var count = Int.min

  /// Begins to count: an app that starts slowly must not count as one that hangs.
  func begin() { count = 0 }

  func increase() -> Int {
    count += 1
    return count
  }
}
