import Foundation
import TestFixtures
import Testing

@testable import FluxCore

@Suite("Rule 6: effects", .hangLimit) struct EffectTests {
  @Test("a result and an error become actions, whose cause and effect the envelope names")
  func results() async {
    let dispatcher = Dispatcher([Worker { try await $0.result() }])
    let seen = Recorded<String>()
    dispatcher.use(
      Dispatching { seen.append("\($0.step) \($0.action) \($0.cause ?? 0) \($0.effect ?? "-")") })
    let outcome = await dispatcher.run(WorkAction.start(Job("a", .succeed)))
    await dispatcher.run(WorkAction.start(Job("b", .fail)))
    #expect(outcome.result == .unchanged)
    #expect(outcome.effects == ["work"])
    #expect(dispatcher[Worker.self] == ["a done", "b failed"])
    #expect(
      seen.all == [
        "1 start(Job a) 0 -", "2 done(\"a\") 1 work", "3 start(Job b) 0 -",
        "4 failed(\"b\") 3 work",
      ])
  }

  @Test("replacing cancels the earlier one, whose result is ignored")
  func replacing() async {
    let gate = Gate()
    let dispatcher = Dispatcher([
      Worker { job in
        await gate.pass(job.name)
        return job.name
      }
    ])
    async let first = dispatcher.run(WorkAction.start(Job("a", .succeed)))
    await gate.arrival(of: "a")
    async let second = dispatcher.run(WorkAction.start(Job("b", .succeed)))
    await gate.arrival(of: "b")
    gate.open("a")
    _ = await first
    gate.open("b")
    _ = await second
    #expect(dispatcher[Worker.self] == ["b done"])
  }

  @Test("concurrent lets both run; serial lets the second wait for the first")
  func concurrentAndSerial() async {
    for policy in [EffectPolicy.concurrent, .serial] {
      let gate = Gate()
      let dispatcher = Dispatcher([
        Worker(policy) { job in
          await gate.pass(job.name)
          return job.name
        }
      ])
      async let first = dispatcher.run(WorkAction.start(Job("a", .succeed)))
      await gate.arrival(of: "a")
      async let second = dispatcher.run(WorkAction.start(Job("b", .succeed)))
      if policy == .concurrent {
        await gate.arrival(of: "b")
        gate.open("b")
        _ = await second
        gate.open("a")
      } else {
        gate.open("b")
        gate.open("a")
      }
      _ = await (first, second)
      let expected = policy == .serial ? ["a done", "b done"] : ["b done", "a done"]
      #expect(dispatcher[Worker.self] == expected, "\(policy)")
    }
  }

  @Test("replacing after a time debounces: only the last of a burst runs")
  func debounce() async {
    let clock = ManualClock()
    let dispatcher = Dispatcher(
      [Worker(.replacing(after: .seconds(1))) { $0.name }], clock: clock)
    async let first = dispatcher.run(WorkAction.start(Job("a", .succeed)))
    await clock.sleeper()
    _ = dispatcher.dispatch(WorkAction.nothing)
    async let second = dispatcher.run(WorkAction.start(Job("b", .succeed)))
    _ = await first
    await clock.sleeper()
    clock.advance(by: .seconds(1))
    _ = await second
    #expect(dispatcher[Worker.self] == ["b done"])
  }

  @Test("keeping for a time throttles: only the first runs, until the time is over")
  func throttle() async {
    let clock = ManualClock()
    let dispatcher = Dispatcher(
      [Worker(.keeping(for: .seconds(1))) { $0.name }], clock: clock)
    await dispatcher.run(WorkAction.start(Job("a", .succeed)))
    await dispatcher.run(WorkAction.start(Job("b", .succeed)))
    await clock.sleeper()
    dispatcher.dispatch(WorkAction.cancel)
    await dispatcher.run(WorkAction.start(Job("c", .succeed)))
    #expect(dispatcher[Worker.self] == ["a done", "c done"])
  }

  @Test("a throttle opens again when its time is over")
  func throttleReopens() async {
    let clock = ManualClock()
    let dispatcher = Dispatcher(
      [Worker(.keeping(for: .seconds(1))) { $0.name }], clock: clock)
    await dispatcher.run(WorkAction.start(Job("a", .succeed)))
    await clock.sleeper()
    clock.advance(by: .seconds(1))
    // At once: a test that advances its clock cannot wait for the task that closes the window.
    await dispatcher.run(WorkAction.start(Job("b", .succeed)))
    #expect(dispatcher[Worker.self] == ["a done", "b done"])
  }

  @Test("cancelling by name ends an effect; late actions are ignored, and names are private")
  func cancel() async {
    let gate = Gate()
    let late = Recorded<Outcome.Result>()
    let dispatcher = Dispatcher([
      Sender(id: "left", gate: gate, late: late), Sender(id: "right", gate: gate, late: late),
    ])
    dispatcher.dispatch(SendAction.start, to: "left")
    dispatcher.dispatch(SendAction.start, to: "right")
    await gate.arrival(of: "left")
    await gate.arrival(of: "right")
    dispatcher.dispatch(SendAction.stop, to: "left")
    async let left: Void = gate.arrival(of: "left is over")
    async let right: Void = gate.arrival(of: "right is over")
    gate.open("left")
    await left
    gate.open("right")
    await right
    #expect(late.all == [.ignored, .changed])
    #expect(dispatcher[Sender.self, "left"] == 0)
    #expect(dispatcher[Sender.self, "right"] == 1)
  }

  @Test("the own action of an effect or follow-up changes the instance that asked, not its twin")
  func instances() async {
    let dispatcher = Dispatcher([
      Worker(id: "left") { $0.name }, Worker(id: "right") { $0.name },
    ])
    await dispatcher.run(WorkAction.start(Job("a", .succeed)), to: "left")
    dispatcher.dispatch(WorkAction.echo("b"), to: "right")
    #expect(dispatcher[Worker.self, "left"] == ["a done"])
    #expect(dispatcher[Worker.self, "right"] == ["b done"])
  }

  @Test("run waits for effects, follow-ups, and theirs; cancelEffects ends the wait")
  func runWaits() async {
    let dispatcher = Dispatcher([Worker { $0.name == "never" ? try await Job.forever() : $0.name }])
    await dispatcher.run(WorkAction.chain(3))
    #expect(dispatcher[Worker.self] == ["3 done", "2 done", "1 done", "0 done"])
    async let never = dispatcher.run(WorkAction.start(Job("never", .succeed)))
    while dispatcher.model.snapshot(of: "worker") == nil { await Task.yield() }
    dispatcher.cancelEffects()
    dispatcher.dispatch(WorkAction.nothing)
    // If the cancellation came before the effect, this one ends it.
    let task = Task {
      while !Task.isCancelled {
        dispatcher.cancelEffects()
        await Task.yield()
      }
    }
    #expect(await never.effects == ["work"])
    task.cancel()
    #expect(dispatcher[Worker.self].count == 4)
  }

  @Test("a task that is cancelled while it waits for run, or before, leaves no effect behind")
  func cancelledTask() async {
    let dispatcher = Dispatcher([Worker { _ in try await Job.forever() }])
    let gate = Gate()
    let before = Task {
      await gate.pass("cancelled")
      await dispatcher.run(WorkAction.start(Job("a", .succeed)))
    }
    before.cancel()
    gate.open("cancelled")
    await before.value
    let during = Task { await dispatcher.run(WorkAction.start(Job("b", .succeed))) }
    during.cancel()
    #expect(await during.value.effects == ["work"])
    #expect(dispatcher[Worker.self] == [])
  }

  @Test("a rejected step starts no effect and cancels none")
  func rejectedStep() async {
    let dispatcher = Dispatcher([Worker { $0.name }, CounterStore()])
    let batch = Batch(nil, [WorkAction.start(Job("a", .succeed)), CounterAction.refuse("no")])
    let outcome = await dispatcher.run(batch)
    #expect(outcome.result == .rejected && outcome.effects.isEmpty)
    await dispatcher.run(WorkAction.start(Job("b", .succeed)))
    #expect(dispatcher[Worker.self] == ["b done"])
  }

  @Test("a serial effect waits for a cancelled one that is still running")
  func serialAfterCancel() async {
    let gate = Gate()
    let log = Recorded<String>()
    let dispatcher = Dispatcher([
      Worker(.serial) { job in
        log.append("begin \(job.name)")
        await gate.pass(job.name)
        log.append("end \(job.name)")
        return job.name
      }
    ])
    dispatcher.dispatch(WorkAction.start(Job("a", .succeed)))
    await gate.arrival(of: "a")
    dispatcher.dispatch(WorkAction.cancel)
    gate.open("b")
    async let second = dispatcher.run(WorkAction.start(Job("b", .succeed)))
    while dispatcher.engine.effects.waitingCount == 0 { await Task.yield() }
    gate.open("a")
    _ = await second
    #expect(log.all == ["begin a", "end a", "begin b", "end b"])
    #expect(dispatcher[Worker.self] == ["b done"])
  }

  @Test("a cancelled run whose serial effect waits behind another one's returns at once")
  func cancelledWait() async {
    let gate = Gate()
    let dispatcher = Dispatcher([
      Worker(.serial) { job in
        await gate.pass(job.name)
        return job.name
      }
    ])
    dispatcher.dispatch(WorkAction.start(Job("a", .succeed)))
    await gate.arrival(of: "a")
    let waiting = Task { await dispatcher.run(WorkAction.start(Job("b", .succeed))) }
    while dispatcher.engine.effects.waitingCount == 0 { await Task.yield() }
    waiting.cancel()
    #expect(await waiting.value.effects == ["work"])
    gate.open("a")
  }

  @Test("run waits for the consequences of an enqueued action's completion")
  func runWaitsForCompletion() async {
    let dispatcher = Dispatcher([Worker { $0.name }, CounterStore()])
    let receipt = dispatcher.store(CounterStore.self).onChange { _ in
      dispatcher.enqueue(WorkAction.nothing) { _ in
        dispatcher.dispatch(WorkAction.start(Job("a", .succeed)))
      }
    }
    await dispatcher.run(CounterAction.increase)
    #expect(dispatcher[Worker.self] == ["a done"])
    withExtendedLifetime(receipt) {}
  }

  @Test("two children of one type have separate effects")
  func children() async {
    let dispatcher = Dispatcher([TwoWorkers()])
    await dispatcher.run(WorkAction.start(Job("a", .succeed)))
    #expect(
      dispatcher[TwoWorkers.self]
        == TwoWorkers.State(left: ["a done", "a done"], right: ["a done", "a done"]))
  }

  @Test("a late effect of a released dispatcher reaches nobody")
  func lateEffect() async {
    let gate = Gate()
    let late = Recorded<Outcome.Result>()
    var dispatcher: Dispatcher? = Dispatcher([Sender(id: "left", gate: gate, late: late)])
    dispatcher?.dispatch(SendAction.start)
    await gate.arrival(of: "left")
    dispatcher = nil
    async let over: Void = gate.arrival(of: "left is over")
    gate.open("left")
    await over
    #expect(late.all == [.ignored])
  }
}

@Suite("Rule 7: modes") struct ModeTests {
  @Test(
    "live does both, simulate follows up only, replay lists both and does neither",
    arguments: [
      (Dispatcher.Mode.live, ["2 done", "effect done"]), (.simulate, ["2 done"]), (.replay, []),
    ])
  func modes(_ mode: Dispatcher.Mode, _ expected: [String]) async {
    let dispatcher = Dispatcher([Worker { $0.name }], mode: mode)
    let outcome = await dispatcher.run(WorkAction.both)
    #expect(outcome.followUps.map { "\($0.action)" } == ["done(\"2\")"])
    #expect(outcome.effects == ["work"])
    #expect(dispatcher[Worker.self] == expected)
    #expect(dispatcher.mode == mode)
  }
}

struct TwoWorkers: Projection {
  struct State: StateValue {
    var left: [String] = []
    var right: [String] = []
  }

  let initialState = State()

  var reactions: [Reaction<State>] {
    [.child(\.left, Worker { $0.name }), .child(\.right, Worker { $0.name })]
  }
}

struct Job: Codable, Sendable, CustomStringConvertible {
  enum Fate: String, Codable { case succeed, fail }
  let name: String
  let fate: Fate

  init(_ name: String, _ fate: Fate) {
    self.name = name
    self.fate = fate
  }

  var description: String { "Job \(name)" }

  func result() async throws -> String {
    guard fate == .succeed else { throw CounterFailure() }
    return name
  }

  static func forever() async throws -> String {
    try await Task.sleep(for: .seconds(3_600))
    return "forever"
  }
}

enum WorkAction: Action {
  case start(Job)
  case done(String)
  case failed(String)
  case cancel
  case chain(Int)
  case both
  case echo(String)
  case nothing
}

struct Worker: Store {
  let id: StoreID
  let initialState: [String] = []
  let policy: EffectPolicy
  let work: @Sendable (Job) async throws -> String

  init(
    id: StoreID = "worker", _ policy: EffectPolicy = .replacing,
    _ work: @escaping @Sendable (Job) async throws -> String
  ) {
    self.id = id
    self.policy = policy
    self.work = work
  }

  func reduce(_ lines: inout [String], _ action: WorkAction, _ step: inout Step) {
    switch action {
    case .start(let job):
      step.effect(
        "work", policy, then: WorkAction.done, catch: { _ in .failed(job.name) }
      ) { [work] in try await work(job) }
    case .done(let name): lines.append("\(name) done")
    case .failed(let name): lines.append("\(name) failed")
    case .cancel: step.cancel("work")
    case .chain(let count):
      lines.append("\(count) done")
      guard count > 0 else { return }
      step.effect("work", .concurrent) { send in send(WorkAction.chain(count - 1)) }
    case .both:
      step.effect("work", then: WorkAction.done) { "effect" }
      step.dispatch(WorkAction.done("2"))
    case .echo(let name): step.dispatch(WorkAction.done(name))
    case .nothing: break
    }
  }
}

enum SendAction: Action { case start, stop, increase }

/// Starts an effect that passes a gate named after the store, and then sends.
struct Sender: Store {
  let id: StoreID
  let gate: Gate
  let late: Recorded<Outcome.Result>
  let initialState = 0

  func reduce(_ count: inout Int, _ action: SendAction, _ step: inout Step) {
    switch action {
    case .start:
      step.effect("send") { [id, gate, late] send in
        await gate.pass(id.rawValue)
        late.append(send(SendAction.increase, to: id).result)
        gate.open("\(id) is over")
        await gate.pass("\(id) is over")
      }
    case .stop: step.cancel("send")
    case .increase: count += 1
    }
  }
}
