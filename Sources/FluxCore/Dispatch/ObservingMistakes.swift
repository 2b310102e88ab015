// Observations that do not compile, with an error that says what to write instead.

extension StoreHandle {
  /// Not available: an observation begins with the value to observe.
  @available(
    *, unavailable,
    message: "say which value to observe: `observe(\\.self) { … }` for the whole state"
  )
  public func observe(
    initial: Bool = true, _ callback: @escaping @Sendable (S.State) -> Void
  ) -> Receipt { Receipt(onCancel: {}) }
}

extension Dispatcher {
  /// Not available: a store is observed through its handle.
  @available(
    *, unavailable,
    message: "observe a store through its handle: `store(MyStore.self).observe(\\.self) { … }`"
  )
  public func observe<S: Store>(
    _ type: S.Type, initial: Bool = true, _ callback: @escaping @Sendable (S.State) -> Void
  ) -> Receipt { Receipt(onCancel: {}) }
}
