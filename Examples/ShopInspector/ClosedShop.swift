import ShopExample

/// A service that is never called: in a replay, the results of effects come from the log.
struct ClosedShop: ShopService {
  struct Closed: Error {}

  func products() throws -> [Product] { throw Closed() }

  func signIn(user: String, password: String) throws -> String { throw Closed() }

  func pay(_ amount: Int, token: String) throws -> String { throw Closed() }
}
