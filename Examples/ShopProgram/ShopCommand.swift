import ExampleProgram
import FluxCore
import ShopExample

/// Parses a line: `sign-in ada open-sesame`, `put tea`, `pay`.
@Sendable func readShopCommand(_ line: String) -> TerminalProgram.Command {
  command(line)
    ?? .unknown(
      usage: """
        load, sign-in USER PASSWORD, sign-out, expire, put PRODUCT, take PRODUCT, \
        count PRODUCT NUMBER, checkout, pay, cancel, close
        """)
}

private func command(_ line: String) -> TerminalProgram.Command? {
  var words = Words(line)
  switch words.next() {
  case "load": return .dispatch(CatalogueAction.load)
  case "sign-in": return .dispatch(SessionAction.signIn(user: words.next(), password: words.next()))
  case "sign-out": return .dispatch(SessionAction.signOut)
  case "expire": return .dispatch(SessionAction.expire)
  case "put": return .dispatch(CartAction.add(product: words.next()))
  case "take": return .dispatch(CartAction.remove(product: words.next()))
  case "count":
    let product = words.next()
    return words.number().map { .dispatch(CartAction.setCount(product: product, count: $0)) }
  case "checkout": return .dispatch(Checkout.Action.begin)
  case "pay": return .dispatch(Checkout.Action.pay)
  case "cancel": return .dispatch(Checkout.Action.cancel)
  case "close": return .dispatch(Checkout.Action.close)
  default: return nil
  }
}
