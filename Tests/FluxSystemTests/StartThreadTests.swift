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
