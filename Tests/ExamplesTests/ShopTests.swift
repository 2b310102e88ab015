import FluxCore
import FluxTesting
import Testing

@testable import ShopExample

@Suite struct ShopTests {
  /// A service whose bank refuses a given number of payments.
  actor FakeService: ShopService {
    struct Refused: Error, CustomStringConvertible {
      let description: String
    }

    private var refusals: Int

    init(refusals: Int) {
      self.refusals = refusals
    }

    func products() -> [Product] {
      [
        Product(id: "cup", name: "Cup", price: 1_250, stock: 2),
        Product(id: "tea", name: "Tea", price: 480, stock: 10),
      ]
    }

    func signIn(user: String, password: String) throws -> String {
      guard password == "open sesame" else { throw Refused(description: "wrong password") }
      return "token of \(user)"
    }

    func pay(_ amount: Int, token: String) throws -> String {
      guard refusals == 0 else {
        refusals -= 1
        throw Refused(description: "the bank refuses \(amount)")
      }
      return "receipt for \(amount) of \(token)"
    }
  }

  private func open(refusals: Int = 0) async -> Dispatcher {
    let shop = Dispatcher(makeShop(service: FakeService(refusals: refusals)))
    await shop.run(CatalogueAction.load)
    await shop.run(SessionAction.signIn(user: "ada", password: "open sesame"))
    return shop
  }

  @Test("the total follows from the cart and the prices of the catalogue")
  func fill() async {
    let shop = await open()
    shop.dispatch(CartAction.add(product: "tea"))
    shop.dispatch(CartAction.add(product: "cup"))
    shop.dispatch(CartAction.setCount(product: "tea", count: 3))
    #expect(shop[CartStore.self].lines.map { "\($0.count) \($0.id)" } == ["3 tea", "1 cup"])
    #expect(shop[CartStore.self].total == 2_690)
    shop.dispatch(CartAction.remove(product: "tea"))
    #expect(shop[CartStore.self].total == 1_250)
  }

  @Test("a purchase takes the money, empties the cart and takes from the stock, in one step")
  func buy() async {
    let shop = await open()
    shop.dispatch(CartAction.setCount(product: "tea", count: 4))
    await expect(shop) {
      $0.send(Checkout.Action.begin) { $0[Checkout.self] = .reviewing(total: 1_920) }
      $0.send(Checkout.Action.pay) { $0[Checkout.self] = .paying(total: 1_920, attempt: 1) }
      await $0.receive(Checkout.Action.paid(receipt: "receipt for 1920 of token of ada")) {
        $0[Checkout.self] = .done(receipt: "receipt for 1920 of token of ada")
        $0[CartStore.self] = CartStore.State(sold: ["tea": 4])
        $0[CatalogueStore.self].products[1].stock = 6
      }
      $0.send(Checkout.Action.close) { $0[Checkout.self] = nil }
    }
  }

  @Test("a failed payment can be repeated a limited number of times")
  func retry() async {
    let shop = await open(refusals: 3)
    shop.dispatch(CartAction.add(product: "cup"))
    let reason = "the bank refuses 1250"
    await expect(shop.store(Checkout.self)) {
      $0.send(.begin) { $0 = .reviewing(total: 1_250) }
      for attempt in 1...3 {
        $0.send(.pay) { $0 = .paying(total: 1_250, attempt: attempt) }
        await $0.receive(.failed(reason: reason)) {
          $0 = .failed(total: 1_250, attempt: attempt, reason: reason)
        }
      }
      $0.send(.pay, rejection: "checkout/pay is impossible in failed")
      $0.send(.cancel) { $0 = nil }
    }
  }

  @Test("a session that expires empties the cart and ends the purchase")
  func expire() async {
    let shop = await open()
    shop.dispatch(CartAction.add(product: "cup"))
    shop.dispatch(Checkout.Action.begin)
    await expect(shop) {
      $0.send(SessionAction.expire) {
        $0[CartStore.self] = CartStore.State()
        $0[Checkout.self] = nil
        $0[SessionStore.self] = SessionStore.State(notice: "your session has expired")
      }
    }
  }

  @Test(
    "impossible requests are rejected with a sentence",
    arguments: [
      (CartAction.add(product: "pot"), "the shop does not sell pot"),
      (CartAction.setCount(product: "cup", count: 3), "of Cup only 2 are left, not 3"),
      (CartAction.remove(product: "cup"), "Cup is not in the cart"),
      (Checkout.Action.begin, "the cart is empty"),
      (Checkout.Action.pay, "checkout/pay is impossible in absent"),
      (
        SessionAction.signIn(user: "eve", password: "please"),
        "session/signIn is impossible in this state"
      ),
    ] as [(any Action, String)])
  func reject(action: any Action, message: String) async {
    let shop = await open()
    #expect(shop.dispatch(action).rejection?.message == message)
  }

  @Test("a wrong password leaves nobody signed in, and says so; nothing can be paid then")
  func refuse() async {
    let shop = Dispatcher(makeShop(service: FakeService(refusals: 0)))
    await shop.run(CatalogueAction.load)
    await shop.run(SessionAction.signIn(user: "eve", password: "please"))
    #expect(shop[SessionStore.self].user == nil)
    #expect(shop[SessionStore.self].notice == "wrong password")
    shop.dispatch(CartAction.add(product: "tea"))
    shop.dispatch(Checkout.Action.begin)
    #expect(shop.dispatch(Checkout.Action.pay).rejection?.message == "sign in first")
  }
}
