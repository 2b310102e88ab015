import FluxCore
import FluxXCTest
import XCTest

// The code of the pages about FluxXCTest.
final class CartTests: XCTestCase {
  func testTotal() throws {
    try recorded { test in
      let dispatcher = Dispatcher(makeStores())
      try test.record(dispatcher)
      dispatcher.dispatch(CartAction.add("milk"))
      XCTAssertEqual(dispatcher[CartStore.self].total, 120)
    }
  }

  func testSearch() async {
    let pantry = Dispatcher(testing: [PantryStore()]).store(PantryStore.self)
    await assertSteps(of: pantry) {
      $0.send(.type("milk"))
      await $0.advance(by: .milliseconds(300))
      await $0.receive(.found(["milk"])) { $0 = ["milk"] }
    }
  }

  func testRecordings() async throws {
    try await assertReplay(of: "Recordings", in: shopApp)
  }

  func testCheckout() async throws {
    try await assertRecording(named: "checkout", in: shopApp) { dispatcher in
      dispatcher.dispatch(CartAction.add("milk"))
      await dispatcher.run(CartAction.pay)
    }
  }
}
