import FluxSystem
import Testing

@testable import FluxReplay

@Suite struct OutboxTests {
  private func step(_ number: UInt64) -> LiveNotification {
    .steps([LiveStep(number: number, type: "counter/add")], dropped: 0)
  }

  /// Takes all bytes, and returns the messages in them and in the bytes that were read before.
  private func read(
    _ outbox: inout Outbox, after earlier: [UInt8] = []
  ) throws -> [LiveNotification] {
    var splitter = LineSplitter()
    splitter.append(earlier)
    var notifications: [LiveNotification] = []
    while !outbox.isEmpty {
      splitter.append(Array(outbox.unsent))
      outbox.didSend(outbox.unsent.count)
    }
    while let line = splitter.next() {
      guard case .notification(let method, let params) = try RPCMessage(line) else { continue }
      try notifications.append(#require(try LiveNotification(method, params)))
    }
    return notifications
  }

  @Test("events beyond the limit are dropped, and told with the next one")
  func dropped() throws {
    var outbox = Outbox()
    var number: UInt64 = 0
    while !outbox.isFull {
      number += 1
      outbox.add(step(number))
    }
    let fitting = number
    for _ in 0..<10 {
      number += 1
      outbox.add(step(number))
    }
    outbox.add(.restored(step: 1, next: number + 1))
    let size = outbox.unsent.count
    #expect(size < Outbox.limit + 200)
    // One line is read, which makes room.
    let earlier = Array(outbox.unsent.prefix(100))
    outbox.didSend(100)
    number += 1
    outbox.add(step(number))
    #expect(outbox.unsent.count > size - 100)
    let told = try read(&outbox, after: earlier)
    #expect(told.count == Int(fitting) + 1)
    #expect(
      told.last == .steps([LiveStep(number: number, type: "counter/add")], dropped: 11))
  }

  @Test("events that were dropped are told even if nothing follows")
  func droppedAtEnd() throws {
    var outbox = Outbox()
    while !outbox.isFull { outbox.add(step(1)) }
    outbox.add(step(2))
    #expect(try read(&outbox).last == .steps([], dropped: 1))
    #expect(try read(&outbox) == [])
  }

  @Test("another event than steps is preceded by the count of those that were dropped")
  func droppedBeforeOther() throws {
    var outbox = Outbox()
    while !outbox.isFull { outbox.add(step(1)) }
    outbox.add(step(2))
    let earlier = Array(outbox.unsent.prefix(200))
    outbox.didSend(200)
    outbox.add(.resumed)
    #expect(try read(&outbox, after: earlier).suffix(2) == [.steps([], dropped: 1), .resumed])
  }

  @Test("answers find room also in a full outbox")
  func answers() {
    var outbox = Outbox()
    while !outbox.isFull { outbox.add(step(1)) }
    let size = outbox.unsent.count
    outbox.add(Array("{}\n".utf8))
    #expect(outbox.unsent.count == size + 3)
  }
}
