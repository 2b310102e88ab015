public import FluxCore

/// What can happen to a cart.
public enum CartAction: Action, Equatable {
  case add(product: Product.ID)
  case remove(product: Product.ID)
  case setCount(product: Product.ID, count: Int)
}

/// What a customer means to buy.
public struct CartStore: Store {
  /// How much of which product.
  public struct Line: StateValue, Identifiable {
    /// The product.
    public let id: Product.ID
    /// How many; never less than one.
    public internal(set) var count: Int
  }

  /// What is in the cart, and what it costs.
  public struct State: StateValue {
    /// The products, in the order in which they were put in.
    public internal(set) var lines: [Line] = []
    /// What they cost together, in cents.
    public internal(set) var total = 0
    /// What the last purchase took out, by product.
    public internal(set) var sold: [Product.ID: Int] = [:]
  }

  /// Empty.
  public let initialState = State()

  /// Creates the store.
  public init() {}

  /// Puts in and takes out; never more than there is in stock.
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

  /// A cart belongs to a session, and is empty once it is paid for.
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
