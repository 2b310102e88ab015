import FluxSystem
import Foundation
import Testing

@Suite struct StartThreadTests {
  @Test("The body runs once, on another thread")
  func runs() throws {
    let runs = Monitor<[UInt]>([])
    try startThread {
      runs.withLock { $0.append(currentThreadIdentity()) }
      runs.signal()
    }
    let threads = runs.waitUntil(milliseconds: 10_000, { !$0.isEmpty }) { $0 }
    #expect(threads.count == 1)
    #expect(threads.first != currentThreadIdentity())
  }

  @Test("The thread has its name, of which Linux keeps 15 bytes")
  func name() throws {
    let found = Monitor<String?>(nil)
    try startThread(named: "flux.thread.of.a.test", quality: .utility) {
      #if os(Linux)
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
      #else
        let name = Thread.current.name
      #endif
      found.withLock { $0 = name ?? "none" }
      found.signal()
    }
    let name = found.waitUntil(milliseconds: 10_000, { $0 != nil }) { $0 }
    #if os(Linux)
      #expect(name == "flux.thread.of.\n")
    #else
      #expect(name == "flux.thread.of.a.test")
    #endif
  }

  @Test("A thread that is refused for a test does not run")
  func refused() throws {
    let failure = SystemError("start a thread for", code: EAGAIN)
    #expect(throws: failure) {
      try RefusedThreads.$failure.withValue(failure) { try startThread { Issue.record() } }
    }
  }

  @Test("The thread has the stack that was asked for")
  func stack() throws {
    let found = Monitor<Int?>(nil)
    try startThread(stackSize: 32 << 20) {
      found.withLock { $0 = ThreadStack().rest }
      found.signal()
    }
    let rest = found.waitUntil(milliseconds: 10_000, { $0 != nil }) { $0 } ?? 0
    #expect(rest > 24 << 20)
  }
}
