public import FluxCore

/// A product of the shop.
public struct Product: StateValue, Identifiable {
  /// A short, unique name.
  public let id: String
  /// The displayed name.
  public let name: String
  /// The price in cents.
  public let price: Int
  /// The number in stock.
  public var stock: Int

  /// Creates a product.
  ///
  /// - Parameters:
  ///   - id: A short, unique name.
  ///   - name: The displayed name.
  ///   - price: The price in cents.
  ///   - stock: The number in stock.
  public init(id: String, name: String, price: Int, stock: Int) {
    self.id = id
    self.name = name
    self.price = price
    self.stock = stock
  }
}
