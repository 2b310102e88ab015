import ShopExample

/// A service that is never asked: a replay takes what effects led to from the log.
struct ClosedShop: ShopService {
  struct Closed: Error {}

  func products() throws -> [Product] { throw Closed() }

  func signIn(user: String, password: String) throws -> String { throw Closed() }

  func pay(_ amount: Int, token: String) throws -> String { throw Closed() }
}
