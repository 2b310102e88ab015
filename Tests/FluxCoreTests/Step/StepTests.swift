import FluxCore
import Foundation
import Testing

@Suite("Rule 10 and the step's time and randomness") struct StepTests {
  @Test("now is in whole microseconds, the same throughout a step, and never goes back")
  func now() {
    let times = Times([10.000_000_4, 10.000_001_6, 9, .infinity, .nan, 11])
    let dispatcher = Dispatcher([Clockwork()], now: { times.next() })
    for _ in 0..<6 { dispatcher.dispatch(Tick()) }
    let seen = dispatcher[Clockwork.self].map(\.timeIntervalSinceReferenceDate)
    #expect(seen == [10, 10.000_002, 10.000_002, 10.000_002, 10.000_002, 11])
  }

  @Test("the envelope has the time that the reducer sees")
  func envelopeTime() {
    let dispatcher = Dispatcher([Clockwork()])
    let times = Recorded<Date>()
    dispatcher.use(Dispatching { times.append($0.time) })
    dispatcher.dispatch(Tick())
    #expect(times.all == dispatcher[Clockwork.self])
  }

  @Test("a replayed step has the recorded number, time and random numbers")
  func replayed() {
    let live = Dispatcher([Dice()], seed: 42)
    let envelopes = Recorded<Envelope>()
    live.use(Dispatching { envelopes.append($0) })
    for _ in 0..<3 { live.dispatch(Tick()) }
    let replay = Dispatcher([Dice()], mode: .replay, seed: 42)
    for envelope in envelopes.all.dropFirst() {
      replay.replay(Tick(), step: envelope.step, at: envelope.time)
    }
    #expect(replay[Dice.self] == Array(live[Dice.self].dropFirst()))
    #expect(replay.dispatch(Tick()).step == 4)
  }

  @Test("a recorded time is used even if the dispatcher has reached a later one")
  func recordedTime() {
    let replay = Dispatcher([Clockwork()], mode: .replay)
    replay.use(Dispatching { _ in })
    replay.dispatch(Tick())
    let long = Date(timeIntervalSinceReferenceDate: 1000)
    replay.replay(Tick(), step: 7, at: long)
    replay.replay(Tick(), step: .max, at: long)
    #expect(replay[Clockwork.self].dropFirst() == [long, long])
    #expect(replay.dispatch(Tick()).step == 0)
  }

  @Test("in replay, the dispatches of observers are ignored")
  func replayedObserver() {
    let replay = Dispatcher([CounterStore(), TallyStore()], mode: .replay)
    let outcomes = Recorded<Outcome.Result>()
    let receipt = replay.store(CounterStore.self).onChange { _ in
      outcomes.append(replay.dispatch(LogAction.note("again")).result)
    }
    replay.replay(CounterAction.increase, step: 1, at: Date())
    #expect(outcomes.all == [.ignored])
    #expect(replay[TallyStore.self] == ["counter is 1"])
    withExtendedLifetime(receipt) {}
  }

  @Test("stores of one step share its stream of random numbers in their order")
  func sharedStream() {
    let midnight = Date(timeIntervalSinceReferenceDate: 0)
    let one = Dispatcher([Dice(id: "a"), Dice(id: "b")], seed: 7, now: { midnight })
    one.dispatch(Tick())
    #expect(one[Dice.self, "a"] != one[Dice.self, "b"])
    let two = Dispatcher([Dice(id: "a"), Dice(id: "b")], seed: 7, now: { midnight })
    two.dispatch(Tick())
    #expect(one[Dice.self, "a"] == two[Dice.self, "a"])
    #expect(one[Dice.self, "b"] == two[Dice.self, "b"])
  }

  @Test("a uuid is of version 4, and the same for one seed and step")
  func uuid() {
    let dispatcher = Dispatcher([Dice()], seed: 1)
    dispatcher.dispatch(Tick())
    #expect(dispatcher[Dice.self][0].uuid.uuidString == "F18D6CE9-3D6C-41EE-8B95-F66D327E8D78")
  }
}

@Suite struct SplitMix64Tests {
  @Test("the numbers are those of the published algorithm")
  func published() {
    // The first outputs for the state 1234567, equal to those of other implementations.
    var generator = SplitMix64(state: 1_234_567)
    #expect(
      (0..<5).map { _ in generator.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test("step n starts at the output number n of the seed's generator")
  func ofStep() {
    var outputs = SplitMix64(state: 99)
    for step in 1...20 as ClosedRange<UInt64> {
      #expect(SplitMix64(seed: 99, step: step) == SplitMix64(state: outputs.next()))
    }
  }
}

/// Returns times in order.
final class Times: @unchecked Sendable {
  // Sendable: guarded by `lock`.
  private let lock = NSLock()
  private var times: [Double]

  init(_ times: [Double]) {
    self.times = times.reversed()
  }

  func next() -> Date {
    lock.withLock { Date(timeIntervalSinceReferenceDate: times.popLast() ?? 0) }
  }
}

struct Clockwork: Store {
  let initialState: [Date] = []

  func reduce(_ times: inout [Date], _ action: Tick, _ step: inout Step) {
    let now = step.now
    precondition(now == step.now)
    times.append(now)
  }
}

struct Dice: Store {
  struct Throw: StateValue {
    let number: Int
    let uuid: UUID
    let step: UInt64
    let time: Date
  }
  var id: StoreID = "dice"
  let initialState: [Throw] = []

  func reduce(_ throwsSoFar: inout [Throw], _ action: Tick, _ step: inout Step) {
    throwsSoFar.append(
      Throw(
        number: .random(in: 1...1_000_000, using: &step.random), uuid: step.uuid(),
        step: step.number, time: step.now))
  }
}
