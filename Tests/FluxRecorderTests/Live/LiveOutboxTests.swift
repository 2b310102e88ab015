import FluxCore
import FluxJSON
import FluxReplay
import FluxSystem
import Testing

@testable import FluxRecorder

@Suite struct LiveOutboxTests {
  private func step(_ number: UInt64) -> LiveNotification {
    .steps([LiveStep(number: number, type: "counter/add")], dropped: 0)
  }

  /// Takes all bytes, and returns the messages in them and in the bytes that were read before.
  private func read(
    _ outbox: inout LiveOutbox, after earlier: [UInt8] = []
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
    var outbox = LiveOutbox()
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
    #expect(size < LiveOutbox.limit + 200)
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
    var outbox = LiveOutbox()
    while !outbox.isFull { outbox.add(step(1)) }
    outbox.add(step(2))
    #expect(try read(&outbox).last == .steps([], dropped: 1))
    #expect(try read(&outbox) == [])
  }

  @Test("another event than steps is preceded by the count of those that were dropped")
  func droppedBeforeOther() throws {
    var outbox = LiveOutbox()
    while !outbox.isFull { outbox.add(step(1)) }
    outbox.add(step(2))
    let earlier = Array(outbox.unsent.prefix(200))
    outbox.didSend(200)
    outbox.add(.resumed)
    #expect(try read(&outbox, after: earlier).suffix(2) == [.steps([], dropped: 1), .resumed])
  }

  @Test("answers find room also in a full outbox")
  func answers() {
    var outbox = LiveOutbox()
    while !outbox.isFull { outbox.add(step(1)) }
    let size = outbox.unsent.count
    outbox.add(Array("{}\n".utf8))
    #expect(outbox.unsent.count == size + 3)
  }
}

@Suite struct LiveQueueTests {
  @Test("a queue that nobody empties keeps a limited number of steps, and counts the others")
  func limit() throws {
    let queue = LiveQueue(try Waker())
    let dispatcher = Dispatcher([TallyStore()])
    let models = KeptModels(LiveHistory.Limit(models: 1))
    dispatcher.use(LiveTap(queue, models, Recorder(inMemory: 1000)))
    for _ in 0..<LiveQueue.limit + 100 { dispatcher.dispatch(TallyAction.add(1)) }
    let events = queue.take()
    #expect(events.count == LiveQueue.limit + 1)
    guard case .dropped(let count)? = events.last else {
      Issue.record("the last event tells of the dropped ones")
      return
    }
    #expect(count == 100)
    #expect(queue.lastStep == UInt64(LiveQueue.limit + 100))
    #expect(queue.take().isEmpty)
  }

  @Test("a queue that nobody empties keeps few models, and the steps all the same")
  func models() throws {
    let queue = LiveQueue(try Waker())
    let dispatcher = Dispatcher([TallyStore()])
    let models = KeptModels(LiveHistory.Limit(models: 1))
    dispatcher.use(LiveTap(queue, models, Recorder(inMemory: 1000)))
    queue.modelLimit = 20
    for _ in 0..<2 {
      for _ in 0..<100 { dispatcher.dispatch(TallyAction.add(1)) }
      let events = queue.take()
      #expect(events.count == 100)
      let kept = events.prefix { event in
        if case .step(_, _, _, _, let model) = event { model != nil } else { false }
      }
      #expect(kept.count == 20)
    }
  }

  @Test("the thread is woken once, until it sleeps again")
  func waking() throws {
    let waker = try Waker()
    let queue = LiveQueue(waker)
    func isAwake() -> Bool {
      defer { waker.reset() }
      return Descriptor.wait(
        for: [(waker.reading, reads: true, writes: false)], milliseconds: 0)[0].canRead
    }
    queue.append(.stopped)
    #expect(isAwake())
    queue.append(.stopped)
    #expect(!isAwake())
    #expect(!queue.sleep())
    #expect(queue.take().count == 2)
    #expect(queue.sleep())
    queue.append(.stopped)
    #expect(isAwake())
  }
}

@Suite struct KeptModelsTests {
  @Test("the newest models are kept")
  func limit() {
    let models = KeptModels(LiveHistory.Limit(models: 3))
    let dispatcher = Dispatcher([TallyStore()])
    for step in 1...20 as ClosedRange<UInt64> {
      dispatcher.dispatch(TallyAction.add(1))
      models.keep(dispatcher.model, after: step, changed: dispatcher.model.stores)
      models.keep(dispatcher.model, after: step, changed: dispatcher.model.stores)
    }
    let kept = (0...21 as ClosedRange<UInt64>).filter { models.model(after: $0) != nil }
    #expect(kept == [18, 19, 20])
    #expect(models.model(after: 18)?[TallyStore.self].total == 18)
    models.removeAll()
    #expect(models.model(after: 20) == nil)
    let none = KeptModels(LiveHistory.Limit(models: 0))
    none.keep(dispatcher.model, after: 1, changed: [])
    #expect(none.model(after: 1) == nil)
  }

  @Test("large models are forgotten sooner, and fewer of them may wait")
  func bytes() {
    let models = KeptModels(LiveHistory.Limit(models: 1000, bytes: 1 << 20))
    let dispatcher = Dispatcher([TallyStore()])
    #expect(models.waitingLimit == LiveQueue.limit)
    func keep(_ size: Int, _ steps: ClosedRange<UInt64>) {
      for step in steps {
        dispatcher.dispatch(TallyAction.reset)
        dispatcher.dispatch(TallyAction.note(String(repeating: "x", count: size)))
        models.keep(dispatcher.model, after: step, changed: dispatcher.model.stores)
      }
    }
    keep(100_000, 1...200)
    #expect((0...200).filter { models.model(after: $0) != nil } == Array(191...200))
    #expect(models.waitingLimit == 335)
    // The size of a large state is measured now and then, so it takes some steps to show.
    keep(2_000_000, 201...220)
    #expect((0...220).filter { models.model(after: $0) != nil } == [220])
    #expect(models.waitingLimit == 16)
  }
}
