import FluxJSON
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
      ("basket/add", true), ("batch", true), ("", false), ("/", false), ("cart/\u{301}", true),
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

  @Test(
    "the interface of the reducers is read again, and only one that is not FluxCore's is written",
    arguments: [
      (AppDescription.Reducers.steps, #"{"stores":[],"actionTypes":[]}"#),
      (.plain, #"{"stores":[],"actionTypes":[],"reducers":"plain"}"#),
    ])
  func reducers(_ reducers: AppDescription.Reducers, _ text: String) throws {
    let app = AppDescription(reducers: reducers)
    let json = try LogEncoder(order: .declaration).encode(app)
    #expect(json.text == text)
    #expect(try AppDescription(json) == app)
  }
}
