public import FluxCore

/// The actions of a catalogue.
public enum CatalogueAction: Action, Equatable {
  case load
  case loaded(products: [Product])
  case failed(reason: String)
}

/// The products of the shop.
public struct CatalogueStore: Store {
  /// The products and the state of their request.
  public struct State: StateValue {
    /// The products, in display order.
    public internal(set) var products: [Product] = []
    /// `true` while the products are being fetched.
    public internal(set) var isLoading = false
    /// The reason of the latest failure; nil after a success.
    public internal(set) var failure: String?

    /// Returns the product with an identifier.
    ///
    /// - Parameter id: The identifier.
    /// - Returns: The product; nil if the shop does not sell it.
    public func product(_ id: Product.ID) -> Product? {
      products.first { $0.id == id }
    }
  }

  /// No products.
  public let initialState = State()
  private let service: any ShopService

  /// Creates the store.
  ///
  /// - Parameter service: The source of the products.
  public init(service: any ShopService) {
    self.service = service
  }

  /// Fetches the products.
  public func reduce(_ state: inout State, _ action: CatalogueAction, _ step: inout Step) {
    switch action {
    case .load:
      state.isLoading = true
      state.failure = nil
      step.effect(
        "load", then: CatalogueAction.loaded, catch: { .failed(reason: "\($0)") }
      ) { [service] in try await service.products() }
    case .loaded(let products):
      state.products = products
      state.isLoading = false
    case .failed(let reason):
      state.isLoading = false
      state.failure = reason
    }
  }

  /// Removes paid products from the stock.
  public var reactions: [Reaction<State>] {
    [
      .on(Checkout.Action.self) { state, action, step in
        guard case .paid = action else { return }
        for (id, count) in try step[CartStore.self].sold {
          guard let index = state.products.firstIndex(where: { $0.id == id }) else { continue }
          state.products[index].stock -= count
        }
      }
    ]
  }
}
