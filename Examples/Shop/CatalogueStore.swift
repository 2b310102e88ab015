public import FluxCore

/// What can happen to a catalogue.
public enum CatalogueAction: Action, Equatable {
  case load
  case loaded(products: [Product])
  case failed(reason: String)
}

/// What the shop sells.
public struct CatalogueStore: Store {
  /// The products, and whether more is to come.
  public struct State: StateValue {
    /// The products, in the order of the screen.
    public internal(set) var products: [Product] = []
    /// Whether they are being fetched.
    public internal(set) var isLoading = false
    /// Why they could not be fetched the last time.
    public internal(set) var failure: String?

    /// The product of an identifier.
    ///
    /// - Parameter id: The identifier.
    /// - Returns: The product; nil where the shop does not sell it.
    public func product(_ id: Product.ID) -> Product? {
      products.first { $0.id == id }
    }
  }

  /// Without products.
  public let initialState = State()
  private let service: any ShopService

  /// Creates the store.
  ///
  /// - Parameter service: Where the products come from.
  public init(service: any ShopService) {
    self.service = service
  }

  /// Fetches products.
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

  /// What was paid for is gone from the stock.
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
