import FluxCore
import Foundation
import Testing

@Suite struct ResumptionTests {
  private struct Given: StateSource {
    let count: Int?

    func state<State: Codable & Equatable & Sendable>(
      of store: StoreID, isFeature: Bool, as type: State.Type
    ) -> State? {
      store == "counter" ? count as? State : nil
    }
  }

  @Test("a dispatcher continues with the given states, number and time")
  func goesOn() {
    let time = Date(timeIntervalSinceReferenceDate: 1000)
    let early = Date(timeIntervalSinceReferenceDate: 10)
    let dispatcher = Dispatcher(
      [CounterStore(), TallyStore()],
      states: Given(count: 41), after: 6, at: time, mode: .simulate, seed: 3,
      now: { early })
    #expect(dispatcher.context.nextStep == 7)
    #expect(dispatcher.context.time == time)
    let outcome = dispatcher.dispatch(CounterAction.increase)
    #expect(outcome.step == 7)
    #expect(dispatcher[CounterStore.self] == 42)
    #expect(dispatcher[TallyStore.self] == ["counter is 42"])
    #expect(dispatcher.mode == .simulate)
    #expect(dispatcher.seed == 3)
  }

  @Test("a store without a given state begins in its initial state")
  func ownState() {
    let dispatcher = Dispatcher(
      [CounterStore(initialState: 5)],
      states: Given(count: nil), after: 0, at: .distantPast, mode: .replay,
      seed: 0, now: { Date() })
    #expect(dispatcher[CounterStore.self] == 5)
  }
}
