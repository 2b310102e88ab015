public import FluxCore

/// The shop: what the app, its tests and its replay make their stores with.
///
/// - Parameter service: What the stores need of the world.
/// - Returns: The stores, in the order in which they take actions.
public func makeShop(service: any ShopService) -> [any Store] {
  [
    CatalogueStore(service: service), SessionStore(service: service), CartStore(),
    Checkout(service: service),
  ]
}
