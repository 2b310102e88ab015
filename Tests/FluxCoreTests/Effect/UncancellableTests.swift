import Foundation
import TestFixtures
import Testing

@testable import FluxCore

@Suite(.hangLimit) struct UncancellableTests {
  @Test(
    "an uncancellable effect survives a cancel, a replacement and cancelEffects",
    arguments: ["cancel", "replace", "cancelEffects"])
  func survives(_ how: String) async {
    let gate = Gate()
    let dispatcher = Dispatcher([
      Worker(.uncancellable) { job in
        await gate.pass(job.name)
        return Task.isCancelled ? "cancelled" : job.name
      }
    ])
    async let run = dispatcher.run(WorkAction.start(Job("a", .succeed)))
    await gate.arrival(of: "a")
    gate.open("b")
    switch how {
    case "cancel": dispatcher.dispatch(WorkAction.cancel)
    case "replace": await dispatcher.run(WorkAction.start(Job("b", .succeed)))
    default: dispatcher.cancelEffects()
    }
    gate.open("a")
    _ = await run
    #expect(dispatcher[Worker.self].last == "a done")
  }

  @Test("a serial uncancellable effect that waits is not cancelled either")
  func waiting() async {
    let gate = Gate()
    let dispatcher = Dispatcher([
      Worker(.serial.uncancellable) { job in
        await gate.pass(job.name)
        return job.name
      }
    ])
    async let first = dispatcher.run(WorkAction.start(Job("a", .succeed)))
    await gate.arrival(of: "a")
    dispatcher.dispatch(WorkAction.start(Job("b", .succeed)))
    dispatcher.dispatch(WorkAction.cancel)
    gate.open("a")
    await gate.arrival(of: "b")
    _ = await first
    async let third = dispatcher.run(WorkAction.start(Job("c", .succeed)))
    gate.open("b")
    gate.open("c")
    _ = await third
    #expect(dispatcher[Worker.self] == ["a done", "b done", "c done"])
  }

  @Test("restoring a model ends it, and drops its actions")
  func restored() async throws {
    let gate = Gate()
    let dispatcher = Dispatcher([
      Worker(.uncancellable) { job in
        await gate.pass(job.name)
        return job.name
      }
    ])
    async let run = dispatcher.run(WorkAction.start(Job("a", .succeed)))
    await gate.arrival(of: "a")
    try dispatcher.restore(dispatcher.model)
    gate.open("a")
    _ = await run
    #expect(dispatcher[Worker.self] == [])
  }

  @Test("a commit phase runs to its end, then the effect is cancelled")
  func commit() async {
    let gate = Gate()
    let seen = Recorded<String>()
    let dispatcher = Dispatcher([
      SendStore { send in
        let result = await send.commit {
          await gate.pass("committing")
          seen.append("cancelled in commit: \(Task.isCancelled)")
          return send(SendStore.Said("committed")).result
        }
        seen.append("\(result.map { "\($0)" } ?? "-"), cancelled after: \(Task.isCancelled)")
        seen.append("\(send(SendStore.Said("late")).result)")
        let second: Void? = await send.commit { seen.append("never") }
        seen.append(second == nil ? "no second commit" : "second commit")
      }
    ])
    async let run = dispatcher.run(SendStore.Go())
    await gate.arrival(of: "committing")
    dispatcher.cancelEffects()
    dispatcher.cancelEffects()
    gate.open("committing")
    _ = await run
    #expect(
      seen.all == [
        "cancelled in commit: false", "changed, cancelled after: true", "ignored",
        "no second commit",
      ])
    #expect(dispatcher[SendStore.self] == ["committed"])
  }

  @Test("send.sleep sleeps on the dispatcher's clock, and throws if the effect is cancelled")
  func sleep() async {
    let clock = ManualClock()
    let seen = Recorded<String>()
    let dispatcher = Dispatcher(
      [
        SendStore { send in
          do {
            try await send.sleep(for: .seconds(60))
            send(SendStore.Said("awake"))
            try await send.sleep(for: .seconds(60))
          } catch {
            seen.append("\(type(of: error))")
          }
        }
      ], clock: clock)
    async let run = dispatcher.run(SendStore.Go())
    await clock.sleeper()
    clock.advance(by: .seconds(60))
    await clock.sleeper()
    dispatcher.cancelEffects()
    _ = await run
    #expect(dispatcher[SendStore.self] == ["awake"])
    #expect(seen.all == ["CancellationError"])
  }

  @Test("an effect reads the newest states")
  func reading() async {
    let gate = Gate()
    let dispatcher = Dispatcher([
      CounterStore(),
      SendStore { send in
        send(SendStore.Said("counter is \(send[CounterStore.self])"))
        await gate.pass("on")
        send(SendStore.Said("counter is \(send.model[CounterStore.self])"))
      },
    ])
    async let run = dispatcher.run(SendStore.Go())
    await gate.arrival(of: "on")
    dispatcher.dispatch(CounterAction.increase)
    gate.open("on")
    _ = await run
    #expect(dispatcher[SendStore.self] == ["counter is 0", "counter is 1"])
  }

  @Test("an ending gets the result or the error")
  func ending() async {
    let dispatcher = Dispatcher([EndingStore()])
    await dispatcher.run(EndingStore.Action.divide(6, 2))
    await dispatcher.run(EndingStore.Action.divide(6, 0))
    #expect(dispatcher[EndingStore.self] == ["3", "ZeroDivision()"])
  }
}

/// Runs an effect that uses all of its argument.
private struct SendStore: Store {
  struct Go: Action {}
  struct Said: Action {
    var text: String
    init(_ text: String) { self.text = text }
  }

  let initialState: [String] = []
  let operation: @Sendable (Send) async -> Void

  init(_ operation: @escaping @Sendable (Send) async -> Void) { self.operation = operation }

  func reduce(_ said: inout [String], _ action: Go, _ step: inout Step) {
    step.effect("go") { [operation] send in await operation(send) }
  }

  var reactions: [Reaction<[String]>] {
    [.on(Said.self) { said, action, _ in said.append(action.text) }]
  }
}

private struct EndingStore: Store {
  struct ZeroDivision: Error {}

  enum Action: FluxCore.Action { case divide(Int, Int), divided(String) }

  let initialState: [String] = []

  func reduce(_ results: inout [String], _ action: Action, _ step: inout Step) {
    switch action {
    case .divided(let result): results.append(result)
    case .divide(let number, let divisor):
      step.effect(
        "divide",
        ending: { (result: Result<Int, any Error>) in
          switch result {
          case .success(let quotient): Action.divided("\(quotient)")
          case .failure(let error): .divided("\(error)")
          }
        }
      ) {
        guard divisor != 0 else { throw ZeroDivision() }
        return number / divisor
      }
    }
  }
}
