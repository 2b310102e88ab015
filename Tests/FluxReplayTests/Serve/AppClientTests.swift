import FluxJSON
import FluxSystem
import Foundation
import Testing

@testable import FluxReplay

/// Clients and queues that end, the stack of a queue, and a message that is sent at once.
@Suite struct AppClientTests {
  private final class Part: Sendable {}

  @Test("a message is sent at once as soon as its own bytes are taken, whatever follows")
  func sendAtOnce() {
    let room = Monitor(0)
    let client = AppClient { bytes in
      room.withLock { room in
        let count = min(bytes.count, room)
        room -= count
        return count
      }
    }
    let request = AppRequest(.ping, [:], id: 1, of: client, byteCount: 0)
    let isSent = Monitor<Bool?>(nil)
    Thread {
      let sent = client.sendAtOnce([1, 2, 3], for: request)
      isSent.withLock { $0 = sent }
      isSent.signal()
    }.start()
    while client.waitingByteCount < 3 { sched_yield() }
    client.send([4, 5])
    room.withLock { $0 = 3 }
    client.flush()
    #expect(isSent.waitUntil({ $0 != nil }) { $0 } == true)
    #expect(client.waitingByteCount == 2)
  }

  @Test("a client that has left keeps nothing that waited for room in it")
  func leave() {
    let client = AppClient { _ in 0 }
    weak var part: Part?
    do {
      let kept = Part()
      part = kept
      client.send([1, 2, 3])
      client.whenWaiting(atMost: 0) { _ = kept }
    }
    #expect(part != nil)
    client.leave()
    #expect(part == nil)
    client.send([4])
    #expect(client.waitingByteCount == 0)
  }

  @Test("a finished queue keeps no job for later")
  func finish() {
    let queue = JobQueue("test", hasThread: true)
    weak var part: Part?
    do {
      let kept = Part()
      part = kept
      queue.add {
        queue.whenIdle(forMilliseconds: 1000) { _ = kept }
        queue.finish()
        queue.whenIdle(forMilliseconds: 1000) { _ = kept }
      }
    }
    queue.run()
    #expect(part == nil)
  }

  @Test("the own thread of a queue has a stack for the deepest states")
  func stack() throws {
    let queue = JobQueue("test")
    try queue.start()
    let rest = Monitor<Int?>(nil)
    queue.add {
      rest.withLock { $0 = ThreadStack().rest }
      rest.signal()
    }
    queue.finish()
    let bytes = rest.waitUntil({ $0 != nil }) { $0 }
    #expect((bytes ?? 0) > 4 << 20)
  }
}
