import FluxJSON
import FluxLog
import FluxRecorder
import Foundation
import Observation
import TestFixtures
import Testing

/// Observable objects whose changes are recorded.
@MainActor @Suite(.hangLimit) struct WatchTests {
  @Observable final class Item {
    var name: String
    var count = 1

    init(_ name: String) { self.name = name }
  }

  @Observable final class Basket {
    var items: [Item] = []
    var total = 0
    var unread = 0
  }

  private let recorder: Recorder = {
    var options = Recorder.Options()
    options.recordsSource = false
    return Recorder(inMemory: 1 << 20, options: options)
  }()

  /// The types and states of the steps, once there are as many as expected.
  private func steps(_ count: Int) async throws -> [String] {
    while true {
      await Task.yield()
      do throws(LogError) {
        let timeline = try recorder.timeline()
        guard timeline.log.count >= count else { continue }
        var steps: [String] = []
        for place in 0..<timeline.log.count {
          steps.append(
            "\(try timeline.step(at: place).type) \(try timeline.model(at: place).json.text)")
        }
        return steps
      } catch {
        guard case .cannotExport = error.reason else { throw error }
      }
    }
  }

  @Test("A turn with changes is one step, with the values after it")
  func turns() async throws {
    let basket = Basket()
    recorder.watch("basket") { (names: basket.items.map(\.name), total: basket.total) }
    basket.total = 1
    basket.total = 2
    basket.items.append(Item("tea"))
    #expect(
      try await steps(1) == [#"basket/changed {"basket":{"names":["tea"],"total":2}}"#])
    // Neither an equal value nor one that the closure does not read is a step.
    basket.total = 2
    basket.unread = 5
    await Task.yield()
    basket.items[0].name = "cups"
    #expect(
      try await steps(2).last == #"basket/changed {"basket":{"names":["cups"],"total":2}}"#)
    basket.total = 3
    basket.total = 2
    await Task.yield()
    basket.items = []
    #expect(try await steps(3).last == #"basket/changed {"basket":{"names":[],"total":2}}"#)
    try recorder.close()
    basket.total = 9
    await Task.yield()
    #expect(try recorder.timeline().log.count == 3 && recorder.failure == nil)
    let header = try recorder.timeline().log.header
    #expect(header.stores.map(\.name) == ["basket"] && header.stores[0].isReflected)
  }

  @Test("What a turn has changed so far is recorded before a mark, a flush, a pause and the end")
  func beforeEndOfTurn() throws {
    let item = Item("tea")
    recorder.watch("item") { item.count }
    item.count = 2
    recorder.mark("two")
    item.count = 3
    try recorder.flush()
    #expect(try recorder.timeline().log.count == 2)
    item.count = 4
    recorder.pause()
    item.count = 5
    recorder.resume()
    item.count = 6
    try recorder.close()
    let timeline = try recorder.timeline()
    let states = try (0..<timeline.log.count).map { try timeline.model(at: $0).json.text }
    #expect(states == [2, 3, 4, 6].map { #"{"item":\#($0)}"# })
    #expect(timeline.log.marks.map(\.position) == [1])
  }

  @Test("Several watches share a log, and one that comes later adds its store")
  func several() async throws {
    let (basket, item) = (Basket(), Item("tea"))
    recorder.start(reflecting: ["count": 1, "item": "tea"])
    recorder.watch("item") { item.name }
    recorder.watch("basket") { basket.total }
    recorder.watch("count") { item.count > 5 ? nil : item.count }
    item.name = "cups"
    item.count = 9
    var changes = try await steps(3)
    changes[1...].sort()
    #expect(
      changes == [
        #"basket/watched {"basket":0,"count":1,"item":"tea"}"#,
        #"count/changed {"basket":0,"item":"cups"}"#,
        #"item/changed {"basket":0,"count":1,"item":"cups"}"#,
      ])
    try recorder.close()
  }

  /// A value that another thread changes, which takes as long as the test wants.
  private final class Shared: Observable, @unchecked Sendable {
    // Sendable: `lock` guards `stored`.
    private let registrar = ObservationRegistrar()
    private let lock = NSLock()
    private var stored = 0

    var value: Int {
      registrar.access(self, keyPath: \.value)
      return lock.withLock { stored }
    }

    func set(_ value: Int, beforeChange wait: () -> Void = {}) {
      registrar.withMutation(of: self, keyPath: \.value) {
        wait()
        lock.withLock { stored = value }
      }
    }
  }

  /// Watches a value, and returns once it was read.
  ///
  /// An asynchronous function may not wait for a semaphore.
  private func watch(_ shared: Shared, _ isRead: DispatchSemaphore) {
    recorder.watch("shared") {
      isRead.signal()
      return shared.value
    }
    isRead.wait()
  }

  @Test("A change of another thread is recorded, even if it happens after the read")
  func late() async throws {
    let shared = Shared()
    let isRead = DispatchSemaphore(value: 0)
    watch(shared, isRead)
    Thread {
      shared.set(7) { isRead.wait() }
    }.start()
    #expect(try await steps(1) == [#"shared/changed {"shared":7}"#])
    try recorder.close()
  }

  @Test("Another thread never waits for the main actor")
  func unblocked() async throws {
    let shared = Shared()
    recorder.watch("shared") { shared.value }
    let isDone = DispatchSemaphore(value: 0)
    Thread {
      for value in 1...1_000 { shared.set(value) }
      isDone.signal()
    }.start()
    // The main actor is busy until the other thread is done.
    wait(for: isDone)
    #expect(try await steps(1).last == #"shared/changed {"shared":1000}"#)
    try recorder.close()
  }

  @Test("A change while a step is open is recorded after the step")
  func duringStep() async throws {
    let basket = Basket()
    recorder.watch("basket") { basket.total }
    try await recordAround {
      basket.total = 1
      // The scheduled read runs while the step is open.
      for _ in 0..<10 { await Task.yield() }
    }
    let found = try await steps(2)
    #expect(found.last == #"basket/changed {"basket":1}"#, "\(found)")
    try recorder.close()
  }

  /// Keeps a step between two calls, as a logger does.
  private final class StepHolder {
    var step: OpenStep?

    func begin(_ recorder: Recorder) { step = recorder.begin(NamedAction("outer")) }
    func end() { step.take()?.commit(states: [:]) }
  }

  private func recordAround(_ body: () async throws -> Void) async throws {
    let holder = StepHolder()
    holder.begin(recorder)
    try await body()
    holder.end()
  }

  /// Calls the recorder when it is released.
  private final class Caller {
    private let recorder: Recorder

    init(_ recorder: Recorder) { self.recorder = recorder }

    deinit { recorder.mark("released") }
  }

  @Test("A watched object that calls the recorder when it is released does not block it")
  func released() throws {
    for _ in 0..<2 {
      let caller = Caller(recorder)
      recorder.watch("caller") { withExtendedLifetime(caller) { 1 } }
    }
    try recorder.close()
    let caller = Caller(recorder)
    recorder.watch("late") { withExtendedLifetime(caller) { 1 } }
    #expect(recorder.failure == nil)
  }

  private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
}
