import ExampleProgram
import FluxCore
import ShopExample

/// Parses a line: `sign-in ada open-sesame`, `put tea`, `pay`.
@Sendable func readShopCommand(_ line: String) -> TerminalProgram.Command {
  guard let action = shopAction(line) else {
    return .unknown(
      usage: """
        load, sign-in USER PASSWORD, sign-out, expire, put PRODUCT, take PRODUCT, \
        count PRODUCT NUMBER, checkout, pay, cancel, close
        """)
  }
  return .dispatch(action)
}

private func shopAction(_ line: String) -> (any Action)? {
  var words = Words(line)
  switch words.next() {
  case "load": return CatalogueAction.load
  case "sign-in": return SessionAction.signIn(user: words.next(), password: words.next())
  case "sign-out": return SessionAction.signOut
  case "expire": return SessionAction.expire
  case "put": return CartAction.add(product: words.next())
  case "take": return CartAction.remove(product: words.next())
  case "count":
    let product = words.next()
    return words.number().map { CartAction.setCount(product: product, count: $0) }
  case "checkout": return Checkout.Action.begin
  case "pay": return Checkout.Action.pay
  case "cancel": return Checkout.Action.cancel
  case "close": return Checkout.Action.close
  default: return nil
  }
}
