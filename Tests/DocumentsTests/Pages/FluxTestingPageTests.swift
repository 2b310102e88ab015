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

  @Test func payment() async {
    let shop = Dispatcher(testing: makeStores())
    await expect(shop.store(CartStore.self)) {
      $0.send(.add("milk")) {
        $0.lines = ["milk"]
        $0.total = 120
      }
      $0.send(.pay) { $0 = CartStore.State() }
    }
  }

  @Test func search() async {
    let pantry = Dispatcher(testing: [PantryStore()]).store(PantryStore.self)
    await expect(pantry) {
      $0.send(.type("milk"))
      await $0.advance(by: .milliseconds(300))
      await $0.receive(.found(["milk"])) { $0 = ["milk"] }
    }
  }

  @Test func recordings() async throws {
    try await expectReplay(of: "Recordings", in: shopApp)
  }

  @Test func rules() async throws {
    try await expectRules("Recordings/Shop.rules", of: "Recordings")
  }

  @Test func checkout() async throws {
    try await expectRecording(named: "checkout", in: shopApp) { dispatcher in
      dispatcher.dispatch(CartAction.add("milk"))
      await dispatcher.run(CartAction.pay)
    }
  }
}
