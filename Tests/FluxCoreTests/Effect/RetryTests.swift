import TestFixtures
import Testing

@testable import FluxCore

@Suite(.hangLimit) struct RetryTests {
  struct Failure: Error {}

  enum LoadAction: Action {
    case load, cancel, loaded(Int), failed(String)
  }

  /// Loads from a service that fails a number of times.
  struct Loader: Store {
    let initialState: [String] = []
    let attempts: Int
    let failures: Int
    let calls = Recorded<Int>()

    func reduce(_ lines: inout [String], _ action: LoadAction, _ step: inout Step) {
      switch action {
      case .load:
        step.effect(
          .load, then: LoadAction.loaded, catch: { .failed("\($0)") },
          retry: .backoff(attempts: attempts)
        ) { [calls, failures] in
          calls.append(calls.all.count + 1)
          if calls.all.count <= failures { throw Failure() }
          return calls.all.count
        }
      case .cancel: step.cancel(.load)
      case .loaded(let call): lines.append("loaded at attempt \(call)")
      case .failed(let reason): lines.append(reason)
      }
    }
  }

  private let clock = ManualClock()

  private func dispatcher(attempts: Int, failures: Int) -> (Dispatcher, Loader) {
    let loader = Loader(attempts: attempts, failures: failures)
    return (Dispatcher([loader], clock: clock), loader)
  }

  /// Runs an action, and lets each delay pass.
  private func load(_ dispatcher: Dispatcher, passing delays: [Duration]) async {
    async let run = dispatcher.run(LoadAction.load)
    for delay in delays {
      await clock.sleeper()
      clock.advance(by: delay - .nanoseconds(1))
      clock.advance(by: .nanoseconds(1))
    }
    _ = await run
  }

  @Test("an operation runs again after growing delays, until it succeeds")
  func success() async {
    let (dispatcher, loader) = dispatcher(attempts: 5, failures: 3)
    await load(dispatcher, passing: [.seconds(1), .seconds(2), .seconds(4)])
    #expect(dispatcher[Loader.self] == ["loaded at attempt 4"])
    #expect(loader.calls.all == [1, 2, 3, 4])
    #expect(clock.now == ManualClock.Instant().advanced(by: .seconds(7)))
  }

  @Test("the error of the last attempt becomes the action")
  func failure() async {
    let (dispatcher, loader) = dispatcher(attempts: 3, failures: 9)
    await load(dispatcher, passing: [.seconds(1), .seconds(2)])
    #expect(dispatcher[Loader.self] == ["Failure()"])
    #expect(loader.calls.all == [1, 2, 3])
  }

  @Test("an effect that is cancelled between two attempts makes no other, and dispatches nothing")
  func cancelled() async {
    let (dispatcher, loader) = dispatcher(attempts: 3, failures: 9)
    async let run = dispatcher.run(LoadAction.load)
    await clock.sleeper()
    dispatcher.dispatch(LoadAction.cancel)
    _ = await run
    #expect(dispatcher[Loader.self] == [])
    #expect(loader.calls.all == [1])
  }

  @Test(
    "the delays grow up to a limit, and never overflow",
    arguments: [
      (Retry.backoff(attempts: 9), [1, 2, 4, 8, 16, 32, 60, 60]),
      (.backoff(attempts: 4, first: .seconds(5), factor: 3, limit: .seconds(30)), [5, 15, 30]),
      (.backoff(attempts: 3, first: .seconds(9), factor: 0, limit: .seconds(7)), [7, 7]),
      (.none, [0]),
    ])
  func delays(_ retry: Retry, _ seconds: [Int]) {
    #expect(seconds.indices.map { retry.delay($0 + 1) } == seconds.map { .seconds($0) })
    let endless = Retry.backoff(attempts: .max, limit: .seconds(Int64.max))
    #expect(endless.delay(1000) == .seconds(Int64.max))
  }
}

extension EffectName {
  fileprivate static let load: EffectName = "load"
}
