import FluxCore
import Testing

@Suite("Setup errors stop the program at once") struct SetUpTests {
  @Test("two stores with one id")
  func twoIDs() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Dispatcher([CounterStore(), CounterStore()])
    }
    expectMessage(
      result,
      """
      Two stores have the id "counter": a CounterStore and a CounterStore. \
      Give one of them a different id.
      """)
  }

  @Test("two action types with one kind")
  func twoKinds() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Dispatcher([CounterStore(), Impostor()])
    }
    expectMessage(
      result,
      """
      Two action types have the kind "counter": FluxCoreTests.CounterAction and FluxCoreTests.Impostor.CounterAction. \
      Declare `static var kind` in one of them.
      """)
  }

  @Test("a reaction to batches")
  func batchReaction() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Dispatcher([BatchWatcher()])
    }
    expectMessage(
      result,
      """
      The store "batchWatcher" reacts to Batch, but stores never see a batch itself. \
      React to the actions in it.
      """)
  }

  @Test("a store that the dispatcher does not have, or one of several")
  func unknownStore() async {
    let missing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Dispatcher([CounterStore()])[Chain.self]
    }
    expectMessage(
      missing,
      "there is no Chain; the stores are counter. Check the stores that the dispatcher was created with."
    )
    let ambiguous = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Dispatcher([CounterStore(), CounterStore(id: "second")]).store(CounterStore.self)
    }
    expectMessage(
      ambiguous,
      "there are several stores of type CounterStore; pass one of the ids counter, second.")
  }

  private func expectMessage(_ result: ExitTest.Result?, _ message: String) {
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains(message), "the process said: \(output)")
  }
}

/// A store whose action type has the name of another type.
struct Impostor: Store {
  enum CounterAction: Action { case increase }
  let initialState = 0
  func reduce(_ state: inout Int, _ action: CounterAction, _ step: inout Step) {}
}

struct BatchWatcher: Projection {
  let initialState = 0
  var reactions: [Reaction<Int>] { [.on(Batch.self) { count, _, _ in count += 1 }] }
}
