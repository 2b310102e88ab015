/// The outside services of the shop: a server in the app, a fake in its tests.
public protocol ShopService: Sendable {
  /// Fetches the products of the shop.
  ///
  /// - Returns: The products, in display order.
  /// - Throws: The error of a service that cannot answer.
  func products() async throws -> [Product]

  /// Signs a customer in.
  ///
  /// - Parameters:
  ///   - user: The customer's name.
  ///   - password: The customer's password.
  /// - Returns: A token that identifies the customer; a secret.
  /// - Throws: The error of a service that refuses the customer.
  func signIn(user: String, password: String) async throws -> String

  /// Charges the customer.
  ///
  /// - Parameters:
  ///   - amount: The amount in cents.
  ///   - token: The customer's token.
  /// - Returns: The number of the receipt.
  /// - Throws: The error of a service that cannot accept the request.
  func pay(_ amount: Int, token: String) async throws -> String
}
