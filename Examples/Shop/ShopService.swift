/// What the shop's stores need of the world: a server in the app, a fake in its tests.
public protocol ShopService: Sendable {
  /// Fetches what the shop sells.
  ///
  /// - Returns: The products, in the order of the screen.
  /// - Throws: Whatever keeps the service from answering.
  func products() async throws -> [Product]

  /// Lets a customer in.
  ///
  /// - Parameters:
  ///   - user: The customer's name.
  ///   - password: The customer's password.
  /// - Returns: A token that stands for the customer from here on; a secret.
  /// - Throws: Whatever keeps the service from letting the customer in.
  func signIn(user: String, password: String) async throws -> String

  /// Takes money.
  ///
  /// - Parameters:
  ///   - amount: How much, in cents.
  ///   - token: The customer's token.
  /// - Returns: The number of the receipt.
  /// - Throws: Whatever keeps the service from taking it.
  func pay(_ amount: Int, token: String) async throws -> String
}
