public import FluxCore

/// Something that the shop sells.
public struct Product: StateValue, Identifiable {
  /// A short name that no other product has.
  public let id: String
  /// What it is called on the screen.
  public let name: String
  /// What one costs, in cents.
  public let price: Int
  /// How many there are.
  public var stock: Int

  /// Creates a product.
  ///
  /// - Parameters:
  ///   - id: A short name that no other product has.
  ///   - name: What it is called on the screen.
  ///   - price: What one costs, in cents.
  ///   - stock: How many there are.
  public init(id: String, name: String, price: Int, stock: Int) {
    self.id = id
    self.name = name
    self.price = price
    self.stock = stock
  }
}
