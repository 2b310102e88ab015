import FluxCore
import ShopExample

/// The cart, the purchase and the customer.
@Sendable func shopScreen(_ dispatcher: Dispatcher) -> String {
  let cart = dispatcher[CartStore.self]
  let session = dispatcher[SessionStore.self]
  let checkout = dispatcher[Checkout.self].map { "\($0)" } ?? "not begun"
  return
    (cart.lines.map { "\($0.count) \($0.id)" } + [
      "total \(cart.total / 100).\(cart.total % 100 / 10)\(cart.total % 10)",
      "checkout: \(checkout)",
      session.notice ?? session.user.map { "signed in as \($0)" } ?? "nobody is signed in",
    ]).joined(separator: "\n")
}
