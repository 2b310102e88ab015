import Foundation
import TestFixtures
import Testing

@testable import FluxCore

/// Tests the policies of effects without a dispatcher: the host only records what effects send.
@Suite(.hangLimit) struct EffectCenterTests {
  /// The requests of one name, in the order in which a test makes them.
  enum Event: String, CaseIterable, Sendable {
    case start
    case finish
    case cancel
  }

  /// The rules of one name's effects as a value.
  struct Model {
    let policy: EffectPolicy
    private(set) var running: [Int] = []
    private(set) var waiting: [Int] = []
    private(set) var cancelled: Set<Int> = []
    private(set) var delivered: [Int] = []

    init(_ policy: EffectPolicy) { self.policy = policy }

    /// Requests an effect; returns the effect that starts to run.
    mutating func start(_ effect: Int) -> Int? {
      if case .replacing = policy { cancel() }
      if case .keeping = policy, !cancelled.isSuperset(of: running) { return nil }
      if case .concurrent(let limit) = policy, running.count >= limit {
        waiting.append(effect)
        return nil
      }
      running.append(effect)
      return effect
    }

    /// Ends the oldest running effect; returns the effect that starts to run in its place.
    mutating func finish() -> (ended: Int, started: Int?)? {
      guard let ended = running.first else { return nil }
      running.removeFirst()
      if !cancelled.contains(ended) { delivered.append(ended) }
      guard let next = waiting.first else { return (ended, nil) }
      waiting.removeFirst()
      running.append(next)
      return (ended, next)
    }

    mutating func cancel() {
      cancelled.formUnion(running)
      waiting = []
    }
  }

  static let policies: [EffectPolicy] = [
    .concurrent, .concurrent(atMost: 2), .serial, .replacing, .keeping,
  ]

  @Test("every sequence of five requests runs and delivers as the model does", arguments: policies)
  func everySequence(_ policy: EffectPolicy) async {
    var sequences: [[Event]] = [[]]
    for _ in 0..<5 { sequences = sequences.flatMap { some in Event.allCases.map { some + [$0] } } }
    for sequence in sequences {
      let stage = Stage()
      var model = Model(policy)
      for (index, event) in sequence.enumerated() {
        switch event {
        case .start:
          let started = model.start(index)
          stage.start(index, policy)
          if let started { await stage.gate.arrival(of: "\(started)") }
        case .finish:
          guard let (ended, started) = model.finish() else { continue }
          stage.gate.open("\(ended)")
          await stage.end(of: ended)
          if let started { await stage.gate.arrival(of: "\(started)") }
        case .cancel:
          model.cancel()
          stage.cancel()
        }
        #expect(stage.center.waitingCount == model.waiting.count, "\(policy) \(sequence)")
      }
      #expect(stage.host.actions.all == model.delivered, "\(policy) \(sequence)")
      let begun = stage.begun.all
      #expect(
        Set(begun) == Set(model.running + model.delivered).union(model.cancelled),
        "\(policy) \(sequence)")
      for effect in begun { stage.gate.open("\(effect)") }
    }
  }

  @Test("a delayed effect starts after the delay, unless a later one replaces it")
  func debounce() async {
    let stage = Stage()
    let policy = EffectPolicy.replacing(after: .seconds(1))
    stage.start(1, policy)
    await stage.clock.sleeper()
    stage.start(2, policy)
    await stage.end(of: 1)
    await stage.clock.sleeper()
    stage.clock.advance(by: .seconds(1))
    await stage.gate.arrival(of: "2")
    stage.gate.open("2")
    await stage.end(of: 2)
    #expect(stage.begun.all == [2])
    #expect(stage.host.actions.all == [2])
  }

  @Test("an open window drops effects after the first has ended, until it closes or is cancelled")
  func throttle() async {
    let stage = Stage()
    let policy = EffectPolicy.keeping(for: .seconds(1))
    for effect in 1...3 { stage.gate.open("\(effect)") }
    stage.start(1, policy)
    await stage.end(of: 1)
    stage.start(2, policy)
    await stage.end(of: 2)
    stage.cancel()
    stage.start(3, policy)
    await stage.end(of: 3)
    #expect(stage.begun.all == [1, 3])
  }

  @Test("cancelling an activity ends its effects and refuses new ones; others continue")
  func activities() async {
    let stage = Stage()
    stage.start(1, .concurrent)
    stage.start(2, .concurrent)
    await stage.gate.arrival(of: "1")
    await stage.gate.arrival(of: "2")
    stage.center.cancelAll(of: stage.activity(of: 1))
    stage.start(1, .concurrent)
    for effect in 1...2 {
      stage.gate.open("\(effect)")
      await stage.end(of: effect)
    }
    #expect(stage.begun.all.sorted() == [1, 2])
    #expect(stage.host.actions.all == [2])
  }

  @Test("an effect that waited behind a cancelled one starts if its own, higher limit allows it")
  func mixedLimits() async throws {
    let stage = Stage()
    for effect in 1...2 { stage.start(effect, .concurrent(atMost: 3)) }
    stage.start(3, .serial)
    stage.start(4, .concurrent(atMost: 3))
    #expect(stage.center.waitingCount == 2)
    stage.center.cancelAll(of: stage.activity(of: 3))
    try #require(stage.center.waitingCount == 0)
    await stage.gate.arrival(of: "4")
    for effect in 1...4 {
      stage.gate.open("\(effect)")
      await stage.end(of: effect)
    }
    #expect(stage.begun.all.sorted() == [1, 2, 4])
    #expect(stage.host.actions.all == [1, 2, 4])
  }

  @Test("a closed center cancels running effects and starts none")
  func closed() async {
    let stage = Stage()
    stage.start(1, .concurrent)
    await stage.gate.arrival(of: "1")
    stage.center.close()
    stage.start(2, .concurrent)
    await stage.end(of: 2)
    stage.gate.open("1")
    await stage.end(of: 1)
    #expect(stage.begun.all == [1])
    #expect(stage.host.actions.all == [])
  }
}

/// An effect center with effects that stop at a gate and then send their number.
private final class Stage: @unchecked Sendable {
  // Sendable: `lock` guards the variable.
  let clock = ManualClock()
  let center: EffectCenter
  let host = RecordingHost()
  let gate = Gate()
  let begun = Recorded<Int>()
  private let lock = NSLock()
  private var activities: [Int: Activity] = [:]
  private let key = EffectKey(slot: 0, name: "work")

  init() { center = EffectCenter(clock: clock) }

  func activity(of effect: Int) -> Activity {
    lock.withLock {
      let activity = activities[effect] ?? Activity()
      activities[effect] = activity
      return activity
    }
  }

  func start(_ effect: Int, _ policy: EffectPolicy) {
    let request = EffectRequest(key: key, policy: policy, file: #fileID, line: #line) {
      [gate, begun] send in
      begun.append(effect)
      await gate.pass("\(effect)")
      send(CounterAction.set(effect))
    }
    center.run([.start(request)], cause: 1, activity: activity(of: effect), host: host.host)
  }

  func cancel() {
    center.run([.cancel(key)], cause: 1, activity: nil, host: host.host)
  }

  /// Waits until an effect has ended, or was never going to start.
  func end(of effect: Int) async {
    await activity(of: effect).wait()
  }
}

private final class RecordingHost: Sendable {
  let actions = Recorded<Int>()

  var host: EffectHost {
    let model = Dispatcher([]).model
    return EffectHost(
      dispatch: { [actions] action, _, _ in
        if case .set(let number)? = action as? CounterAction { actions.append(number) }
        return .queued
      }, model: { model })
  }
}
