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
}
