import FluxCore
import FluxTesting
import Testing

/// The code of the pages about FluxTesting.
@Suite struct FluxTestingPageTests {
  @Test(.recorded) func total() {
    let dispatcher = Dispatcher(makeStores())
    dispatcher.record()
    dispatcher.dispatch(CartAction.add("milk"))
    #expect(dispatcher[CartStore.self].total == 120)
  }

  @Test func recordings() async throws {
    try await expectReplay(of: "Recordings", stores: makeStores)
  }

  @Test func checkout() async throws {
    try await expectRecording(named: "checkout", stores: makeStores) { dispatcher in
      dispatcher.dispatch(CartAction.add("milk"))
      await dispatcher.run(CartAction.pay)
    }
  }
}
