extension StoreHandle {
  /// Makes a property follow a selected value: sets it now, and whenever the value changes.
  ///
  /// Use it in the initializer of an `@Observable` view model. A property that did not change is not written, so
  /// views that read it do not update. The object is held weakly. A later binding of the same property replaces
  /// an earlier one.
  /// ```swift
  /// todos.bind(\.count, of: self, to: \.items.count)
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - owner: The object; the binding ends when it is released.
  ///   - select: Selects the value.
  @MainActor
  public func bind<Owner: AnyObject & Sendable, Value: Equatable & Sendable>(
    _ property: ReferenceWritableKeyPath<Owner, Value>, of owner: Owner,
    to select: @escaping @Sendable (S.State) -> Value
  ) {
    dispatcher.engine.observe(
      for: owner, .property(property), at: index, reading(select), initial: true
    ) { $0[keyPath: property] = $1 }
  }
}

extension Dispatcher {
  /// Makes a property follow a value of several stores: sets it now, and whenever the value changes.
  ///
  /// The rules of ``StoreHandle/bind(_:of:to:)`` apply.
  /// ```swift
  /// dispatcher.bind(\.total, of: self) { model in
  ///   model[CartStore.self].price + model[ShippingStore.self]
  /// }
  /// ```
  @MainActor
  public func bind<Owner: AnyObject & Sendable, Value: Equatable & Sendable>(
    _ property: ReferenceWritableKeyPath<Owner, Value>, of owner: Owner,
    to select: @escaping @Sendable (borrowing ModelReader) -> Value
  ) {
    engine.observe(for: owner, .property(property), at: nil, select, initial: true) {
      $0[keyPath: property] = $1
    }
  }
}
