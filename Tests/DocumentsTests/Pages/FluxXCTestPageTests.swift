import FluxCore
import FluxXCTest
import XCTest

// The code of the page about FluxXCTest, as it stands there.
final class CartTests: XCTestCase {
  func testTotal() throws {
    try recorded { test in
      let dispatcher = Dispatcher(makeStores())
      try test.record(dispatcher)
      dispatcher.dispatch(CartAction.add("milk"))
      XCTAssertEqual(dispatcher[CartStore.self].total, 120)
    }
  }

  func testRecordings() async throws {
    try await assertReplay(of: "Recordings", stores: makeStores)
  }
}
