import FluxLog
import FluxReplay
import Testing

@Suite struct AppDescriptionTests {
  private let app = AppDescription(
    stores: [.init(name: "cart"), .init(name: "search", isFeature: true)],
    actionTypes: ["cart", "shop/search", "move"], storeAliases: ["basket": "cart"],
    actionAliases: ["basket": "cart"])

  @Test(
    "an action is known by its kind, with any case, and by an old kind",
    arguments: [
      ("cart", true), ("cart/add", true), ("cart/add/now", true), ("cartoon/add", false),
      ("shop/search", true), ("shop/search/begin", true), ("shop/close", false), ("move", true),
      ("basket/add", true), ("batch", true), ("", false), ("/", false),
    ])
  func actions(_ type: String, _ isKnown: Bool) {
    #expect(app.takes(type) == isKnown)
  }

  @Test("a store is found by its name and by an old one")
  func stores() {
    #expect(app.hasStore("cart") && app.hasStore("basket") && app.hasStore("search"))
    #expect(!app.hasStore("user"))
    #expect(app.storeName(for: "basket") == "cart")
    #expect(app.storeName(for: "user") == "user")
  }
}
