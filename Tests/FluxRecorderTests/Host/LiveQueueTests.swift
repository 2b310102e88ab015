import FluxCore
import FluxJSON
import FluxReplay
import FluxSystem
import Testing

@testable import FluxRecorder

@Suite struct LiveQueueTests {
  @Test("a queue that nobody empties keeps a limited number of steps, and counts the others")
  func limit() throws {
    let queue = LiveQueue(try Waker())
    let dispatcher = Dispatcher([TallyStore()])
    let models = KeptModels(LiveHistory.Limit(models: 1))
    dispatcher.use(LiveTap(queue: queue, models: models, recorder: Recorder(inMemory: 1000)))
    for _ in 0..<LiveQueue.limit + 100 { dispatcher.dispatch(TallyAction.add(1)) }
    let events = taken(from: queue)
    #expect(events.count == LiveQueue.limit + 1)
    guard case .dropped(let count)? = events.last else {
      Issue.record("the last event tells of the dropped ones")
      return
    }
    #expect(count == 100)
    #expect(queue.lastStep == UInt64(LiveQueue.limit + 100))
    #expect(taken(from: queue).isEmpty)
  }

  @Test("a queue that nobody empties keeps few models, and the steps all the same")
  func models() throws {
    let queue = LiveQueue(try Waker())
    let dispatcher = Dispatcher([TallyStore()])
    let models = KeptModels(LiveHistory.Limit(models: 1))
    dispatcher.use(LiveTap(queue: queue, models: models, recorder: Recorder(inMemory: 1000)))
    queue.modelLimit = 20
    for _ in 0..<2 {
      for _ in 0..<100 { dispatcher.dispatch(TallyAction.add(1)) }
      let events = taken(from: queue)
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
    #expect(taken(from: queue).count == 2)
    #expect(queue.sleep())
    queue.append(.stopped)
    #expect(isAwake())
  }
}

private func taken(from queue: LiveQueue) -> [LiveEvent] {
  var events: [LiveEvent] = []
  queue.take(&events)
  return events
}

@Suite struct LiveFeedTests {
  @Test("after events, a host looks for more by itself for a while, whatever else it does")
  func quiet() throws {
    let waker = try Waker()
    let queue = LiveQueue(waker)
    var now = ContinuousClock.now
    let feed = LiveFeed(
      queue, KeptModels(LiveHistory.Limit(models: 1)), AppPresentation(), now: { now })
    func wakes() -> Bool {
      queue.append(.released)
      defer { waker.reset() }
      return Descriptor.wait(
        for: [(waker.reading, reads: true, writes: false)], milliseconds: 0)[0].canRead
    }
    #expect(wakes())
    #expect(feed.turn([]) == 16)
    // The answer to a client is a turn without events.
    #expect(feed.turn([]) == 16)
    #expect(!wakes())
    now += .milliseconds(15)
    #expect(feed.turn([]) == 16)
    now += .milliseconds(15)
    #expect(feed.turn([]) == 16)
    now += .milliseconds(1)
    #expect(feed.turn([]) == -1)
    #expect(wakes())
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
    let newest = KeptModels(LiveHistory.Limit(models: 0))
    for step in 1...2 as ClosedRange<UInt64> {
      newest.keep(dispatcher.model, after: step, changed: [])
    }
    #expect((1...2).filter { newest.model(after: $0) != nil } == [2])
  }

  @Test("large models are forgotten sooner, and fewer of them may wait")
  func bytes() throws {
    let models = KeptModels(LiveHistory.Limit(models: 1000, bytes: 1 << 20))
    func limit() throws -> Int {
      LiveFeed(LiveQueue(try Waker()), models, AppPresentation()).modelLimit
    }
    let dispatcher = Dispatcher([TallyStore()])
    #expect(try limit() == LiveQueue.limit)
    func keep(_ size: Int, _ steps: ClosedRange<UInt64>) {
      for step in steps {
        dispatcher.dispatch(TallyAction.reset)
        dispatcher.dispatch(TallyAction.note(String(repeating: "x", count: size)))
        models.keep(dispatcher.model, after: step, changed: dispatcher.model.stores)
      }
    }
    keep(100_000, 1...200)
    #expect((0...200).filter { models.model(after: $0) != nil } == Array(191...200))
    #expect(try limit() == 335)
    // The size of a large state is measured now and then, so it takes some steps to show.
    keep(2_000_000, 201...220)
    #expect((0...220).filter { models.model(after: $0) != nil } == [220])
    #expect(try limit() == 16)
  }
}
