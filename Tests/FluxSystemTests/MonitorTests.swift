import FluxSystem
import Foundation
import Testing

@Suite struct MonitorTests {
  private struct Refusal: Error {}

  /// Runs a body on several threads, and waits for all of them.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      Thread {
        body(index)
        group.leave()
      }.start()
    }
    group.wait()
  }

  @Test("no two threads are in the state at once")
  func exclusion() {
    let monitor = Monitor(0)
    onThreads(4) { _ in
      for _ in 0..<10_000 { monitor.withLock { $0 += 1 } }
    }
    #expect(monitor.withLock { $0 } == 40_000)
  }

  @Test("an error leaves the monitor unlocked")
  func failure() {
    let monitor = Monitor(1)
    #expect(throws: Refusal.self) {
      try monitor.withLock { state throws(Refusal) in
        state = 2
        throw Refusal()
      }
    }
    #expect(throws: Refusal.self) {
      try monitor.waitUntil({ $0 == 2 }) { _ throws(Refusal) in throw Refusal() }
    }
    #expect(monitor.withLock { $0 } == 2)
  }

  @Test("a lock in two halves excludes other threads until the second one")
  func halves() {
    let monitor = Monitor([0])
    let state = unsafe monitor.lock()
    unsafe state.pointee.append(1)
    monitor.unlock()
    #expect(monitor.withLock { $0 } == [0, 1])
  }

  @Test("threads hand a turn around by signals")
  func signals() {
    let monitor = Monitor([Int]())
    onThreads(3) { thread in
      for round in 0..<20 {
        monitor.waitUntil({ $0.count == round * 3 + thread }) { $0.append(thread) }
        monitor.signal()
      }
    }
    #expect(monitor.withLock { $0 } == Array(repeating: [0, 1, 2], count: 20).flatMap(\.self))
  }

  @Test("a wait with a limit ends at the limit, or at once if the state is ready")
  func limits() {
    let monitor = Monitor("not ready")
    #expect(monitor.waitUntil(milliseconds: 0, { $0 == "ready" }) { $0 } == "not ready")
    monitor.withLock { $0 = "ready" }
    // The limit is far beyond that of a test.
    #expect(monitor.waitUntil(milliseconds: 1_000_000_000, { $0 == "ready" }) { $0 } == "ready")
    #expect(monitor.waitUntil({ $0 == "ready" }) { $0 } == "ready")
  }

  @Test("a limit does not end the wait for a state that comes in time")
  func inTime() {
    let monitor = Monitor(0)
    onThreads(2) { thread in
      if thread == 0 {
        let seen = monitor.waitUntil(milliseconds: 1_000_000_000, { $0 == 1 }) { $0 }
        #expect(seen == 1)
      } else {
        monitor.withLock { $0 = 1 }
        monitor.signal()
      }
    }
  }

  @Test("the state is released with the monitor, once")
  func release() {
    final class Resource: Sendable {}
    weak var observed: Resource?
    var monitor: Monitor<Resource>? = {
      let resource = Resource()
      observed = resource
      return Monitor(resource)
    }()
    #expect(observed != nil)
    withExtendedLifetime(monitor) {}
    monitor = nil
    #expect(observed == nil)
  }
}
