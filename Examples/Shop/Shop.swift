public import FluxCore

/// Makes the stores of the shop for the app, its tests and its replay.
///
/// - Parameter service: The outside services of the stores.
/// - Returns: The stores, in the order in which they handle actions.
public func makeShop(service: any ShopService) -> [any Store] {
  [
    CatalogueStore(service: service), SessionStore(service: service), CartStore(),
    Checkout(service: service),
  ]
}
