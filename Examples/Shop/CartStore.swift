public import FluxCore

/// The actions of a cart.
public enum CartAction: Action, Equatable {
  case add(product: Product.ID)
  case remove(product: Product.ID)
  case setCount(product: Product.ID, count: Int)
}

/// The products that a customer wants to buy.
public struct CartStore: Store {
  /// A product and its quantity.
  public struct Line: StateValue, Identifiable {
    /// The product.
    public let id: Product.ID
    /// The quantity, at least 1.
    public internal(set) var count: Int
  }

  /// The content of the cart and its price.
  public struct State: StateValue {
    /// The products, in the order of their addition.
    public internal(set) var lines: [Line] = []
    /// The total price in cents.
    public internal(set) var total = 0
    /// The quantities of the last purchase, by product.
    public internal(set) var sold: [Product.ID: Int] = [:]
  }

  /// An empty cart.
  public let initialState = State()

  /// Creates the store.
  public init() {}

  /// Adds and removes products, up to the number in stock.
  public func reduce(_ cart: inout State, _ action: CartAction, _ step: inout Step) throws {
    let catalogue = try step[CatalogueStore.self]
    switch action {
    case .add(let id):
      let count = cart.lines.first { $0.id == id }?.count ?? 0
      try set(id, to: count + 1, in: &cart, of: catalogue)
    case .remove(let id):
      try set(id, to: 0, in: &cart, of: catalogue)
    case .setCount(let id, let count):
      try set(id, to: count, in: &cart, of: catalogue)
    }
    cart.total = cart.lines.reduce(0) { total, line in
      total + line.count * (catalogue.product(line.id)?.price ?? 0)
    }
  }

  private func set(
    _ id: Product.ID, to count: Int, in cart: inout State, of catalogue: CatalogueStore.State
  ) throws {
    guard let product = catalogue.product(id) else {
      throw Rejection("the shop does not sell \(id)")
    }
    guard count <= product.stock else {
      throw Rejection(
        "of \(product.name) only \(product.stock) are left, not \(count)")
    }
    let index = cart.lines.firstIndex { $0.id == id }
    switch (index, count) {
    case (let index?, ...0): cart.lines.remove(at: index)
    case (let index?, _): cart.lines[index].count = count
    case (nil, ...0): throw Rejection("\(product.name) is not in the cart")
    case (nil, _): cart.lines.append(Line(id: id, count: count))
    }
  }

  /// Empties the cart when the session ends or the purchase is paid.
  public var reactions: [Reaction<State>] {
    [
      .on(SessionAction.self) { cart, action, _ in
        guard action == .expire || action == .signOut else { return }
        cart = State()
      },
      .on(Checkout.Action.self) { cart, action, _ in
        guard case .paid = action else { return }
        let sold = Dictionary(uniqueKeysWithValues: cart.lines.map { ($0.id, $0.count) })
        cart = State(sold: sold)
      },
    ]
  }
}
