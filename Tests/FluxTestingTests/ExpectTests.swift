import FluxCore
import FluxTesting
import Foundation
import Testing

@Suite struct ExpectTests {
  private let clock = TestClock()
  private var pad: StoreHandle<Pad> {
    Dispatcher(testing: [Pad(), Counter()], clock: clock).store(Pad.self)
  }

  /// Returns the issues of an expectation.
  private func issues(
    _ body:
      nonisolated(nonsending) @escaping @Sendable (StoreExpectation<Pad>) async throws ->
      Void
  ) async throws -> [String] {
    let pad = pad
    return try await Run().perform {
      try await expect(pad, timeout: .milliseconds(50)) { try await body($0) }
    }.issues
  }

  @Test("steps, changes, follow-ups and effects that are all asserted are no issue")
  func passes() async {
    let pad = pad
    await expect(pad) {
      $0.send(.write("a")) { $0.notes = ["a"] }
      await $0.receive(.count(1)) { $0.count = 1 }
      $0.send(.write(""), rejection: "nothing to write")
      $0.send(.save) { $0.status = "saving" }
      await $0.receive(.saved) { $0.status = "saved" }
      $0.send(.track, effects: ["track"])
      $0.dispatcher.send(CounterAction.increase) { $0[Counter.self] = 1 }
    }
  }

  @Test("an action is received by its case, and its values are passed on")
  func cases() async throws {
    let pad = pad
    await expect(pad) {
      $0.send(.write("a")) { $0.notes = ["a"] }
      await $0.receive(Pad.Action.count) { $0.count = $1 }
      $0.send(.write("b")) { $0.notes = ["a", "b"] }
      await $0.dispatcher.receive(Pad.Action.count) { $0[Pad.self].count = $1 }
    }
    #expect(
      try await issues {
        $0.send(.write("a")) { $0.notes = ["a"] }
        await $0.receive(Pad.Action.search)
        await $0.receive(Pad.Action.count)
      } == [
        #"step 2 is pad/count {"_0":1}, not an action pad of the expected case"#,
        "an action pad of the expected case was not received; no effect is running",
      ])
  }

  @Test("identifiers and times are those of the step")
  func identifiers() async {
    let pad = pad
    await expect(pad.dispatcher) {
      $0.send(Pad.Action.stamp) { model in
        model[Pad.self].notes = [
          "\(model.preview { $0.uuid() }) \(model.now.timeIntervalSinceReferenceDate)"
        ]
      }
    }
    let uuid = Step.preview(seed: 1, step: 1) { $0.uuid() }
    #expect(pad.state.notes == ["\(uuid) 0.0"])
    #expect(uuid == Dispatcher(testing: [Pad()]).preview(1))
  }

  @Test(
    "another state, a state that nobody expected, and other stores are issues with a difference")
  func states() async throws {
    #expect(
      try await issues {
        $0.send(.save, effects: ["save"]) { $0.status = "safe" }
        await $0.receive(.saved)
      } == [
        """
        step 1, pad/save, left pad in a different state:

              {
                "count": 0,
                "notes": [],
            −   "status": "safe"
            +   "status": "saving"
              }

        (expected: −, actual: +)
        """,
        """
        step 2, pad/saved, left pad in a different state:

              {
                "count": 0,
                "notes": [],
            −   "status": "saving"
            +   "status": "saved"
              }

        (expected: −, actual: +)
        """,
      ])
    #expect(
      try await issues { $0.dispatcher.send(CounterAction.increase) } == [
        """
        step 1, counter/increase, left counter in a different state:

            − 0
            + 1

        (expected: −, actual: +)
        """
      ])
  }

  @Test("an action that was not received, another action, and one that does not come are issues")
  func actions() async throws {
    #expect(
      try await issues { $0.send(.write("a")) { $0.notes = ["a"] } } == [
        """
        these actions were not received:
          2 pad/count {"_0":1}, caused by step 1
        """
      ])
    #expect(
      try await issues {
        $0.send(.write("a")) { $0.notes = ["a"] }
        await $0.receive(.count(2)) { $0.count = 1 }
        await $0.receive(.saved)
      } == [
        """
        step 2 is a different action:

              {
                "type": "pad/count",
                "payload": {
            −     "_0": 2
            +     "_0": 1
                }
              }

        (expected: −, actual: +)
        """,
        "pad/saved was not received; no effect is running",
      ])
    #expect(
      try await issues {
        $0.send(.write("a")) { $0.notes = ["a"] }
        $0.send(.stop)
      } == [
        """
        receive these actions before you send another one:
          2 pad/count {"_0":1}, caused by step 1
        """
      ])
  }

  @Test(
    "an effect that still runs, that comes back unexpectedly, or that is not named, is an issue")
  func effects() async throws {
    #expect(
      try await issues { $0.send(.search("a"), effects: ["search"]) } == [
        "these effects are still running: search of pad; cancel them, or advance the clock"
      ])
    #expect(
      try await issues { $0.send(.save) { $0.status = "saving" } } == [
        """
        these actions were not received:
          2 pad/saved, from the effect save
        """
      ])
    #expect(
      try await issues { $0.send(.track) } == [
        """
        step 1, pad/track, started the effect track of pad, which sent nothing; expect it with effects: ["track"]
        """
      ])
    #expect(
      try await issues { $0.send(.stop, effects: ["search", "-save"]) } == [
        """
        step 1, pad/stop, asked for different effects:

            − search
            − -save
            + -search

        (expected: −, actual: +)
        """
      ])
  }

  @Test("rejections that nobody expected, or expected otherwise, are issues")
  func rejections() async throws {
    #expect(
      try await issues {
        $0.send(.write(""))
        $0.send(.write(""), rejection: "no")
        $0.send(.stop, rejection: "no")
      } == [
        #"step 1, pad/write {"_0":""}, was rejected: nothing to write"#,
        """
        step 2, pad/write {"_0":""}, was rejected with a different message:

            − no
            + nothing to write

        (expected: −, actual: +)
        """,
        "step 3, pad/stop, was not rejected; expected: no",
      ])
  }

  @Test("a debounced effect runs once, when the clock has advanced")
  func debounce() async {
    let pad = pad
    await expect(pad) {
      $0.send(.search("a"))
      await $0.advance(by: .milliseconds(200))
      $0.send(.search("ab"))
      await $0.advance(by: .milliseconds(300))
      await $0.receive(.found("ab")) { $0.notes = ["ab"] }
      $0.send(.search("abc"))
      $0.send(.stop)
    }
    #expect(clock.sleepingTasks == 0)
  }

  @Test("an effect that never ends is no issue if it is an exception, and its actions are received")
  func exceptions() async throws {
    let (lines, source) = AsyncStream.makeStream(of: String.self)
    let pad = Dispatcher(testing: [Pad(lines: lines)], clock: clock).store(Pad.self)
    await expect(pad, except: ["read"]) {
      $0.send(.read)
      source.yield("a")
      await $0.receive(.found("a")) { $0.notes = ["a"] }
      $0.send(.search("b"))
      await $0.advance(by: .milliseconds(300))
      await $0.receive(.found("b")) { $0.notes = ["b"] }
    }
    let run = try await Run().perform { await expect(pad, timeout: .milliseconds(50)) { _ in } }
    #expect(
      run.issues == [
        "these effects are still running: read of pad; cancel them, or advance the clock"
      ])
  }

  @Test("an exception that sleeps on the clock is woken like all other effects", arguments: 1...8)
  func sleepingException(_ run: Int) async {
    let pad = pad
    await expect(pad, except: ["poll"]) {
      $0.send(.poll)
      for _ in 1...run {
        await $0.advance(by: .seconds(1))
        await $0.receive(.found("polled")) { $0.notes = ["polled"] }
      }
    }
    pad.dispatcher.cancelEffects()
  }

  @Test("effects have declared names, and a minus says that one is cancelled")
  func names() async throws {
    let pad = pad
    await expect(pad) {
      $0.send(.search("a"), effects: [.search])
      $0.send(.stop, effects: [-.search])
    }
    pad.dispatch(.search("a"))
    await pad.dispatcher.settled(except: [.search])
  }

  @Test("an issue is reported where the expectation stands")
  func places() async throws {
    let pad = pad
    let line = #line + 3
    let run = try await Run().perform {
      await expect(pad) {
        $0.send(.write("a"))
        await $0.receive(.saved)
      }
    }
    #expect(run.lines.first == line + 0)
    #expect(run.lines.contains(line + 1))
  }

  @Test("settled waits for effects, except for those that go on")
  func settled() async throws {
    let pad = pad
    pad.dispatch(.save)
    await pad.dispatcher.settled()
    #expect(pad.status == "saved")
    pad.dispatch(.search("a"))
    pad.dispatch(.save)
    await pad.dispatcher.settled(except: ["search"])
    let run = try await Run().perform { await pad.dispatcher.settled(timeout: .milliseconds(10)) }
    #expect(run.issues == ["not settled: still running: search of pad"])
  }
}

extension EffectName {
  fileprivate static let search: EffectName = "search"
}

extension Dispatcher {
  /// The identifier that the step would make.
  fileprivate func preview(_ step: UInt64) -> UUID {
    Step.preview(seed: seed, step: step) { $0.uuid() }
  }
}

// MARK: Stores

private enum CounterAction: Action { case increase }

private struct Counter: Store {
  let initialState = 0

  func reduce(_ count: inout Int, _ action: CounterAction, _ step: inout Step) { count += 1 }
}

private struct Pad: Store {
  enum Action: FluxCore.Action, Equatable {
    case write(String), count(Int), save, saved, stamp, track, search(String), found(String), stop,
      read, poll
  }

  struct State: StateValue {
    var notes: [String] = []
    var count = 0
    var status = ""
  }

  let initialState = State()
  /// The lines that the effect `read` reads.
  var lines = AsyncStream<String> { $0.finish() }

  func reduce(_ pad: inout State, _ action: Action, _ step: inout Step) throws {
    switch action {
    case .write(""): throw Rejection("nothing to write")
    case .write(let text):
      pad.notes.append(text)
      step.dispatch(Action.count(pad.notes.count))
    case .count(let count): pad.count = count
    case .save:
      pad.status = "saving"
      step.effect("save", then: { (_: Void) in Action.saved }) { await Task.yield() }
    case .saved: pad.status = "saved"
    case .stamp:
      pad.notes = ["\(step.uuid()) \(step.now.timeIntervalSinceReferenceDate)"]
    case .track: step.effect("track") { _ in await Task.yield() }
    case .search(let text):
      step.effect("search", .replacing(after: .milliseconds(300)), then: Action.found) { text }
    case .found(let text): pad.notes = [text]
    case .stop: step.cancel("search")
    case .read:
      step.effect("read") { [lines] send in
        for await line in lines { send(Action.found(line)) }
      }
    case .poll:
      step.effect("poll") { send in
        do {
          while true {
            try await send.sleep(for: .seconds(1))
            send(Action.found("polled"))
          }
        } catch {
          // It was cancelled.
        }
      }
    }
  }
}
