public import Observation

/// A value of a state that views can observe: it is tracked like a property of an `@Observable` class.
@MainActor
public final class Observed<Value: Equatable & Sendable>: Observable {
  private let registrar = ObservationRegistrar()
  private var stored: Value

  init(_ value: Value) {
    stored = value
  }

  /// The value as of the last step that has reached the main actor.
  public var value: Value {
    registrar.access(self, keyPath: \.value)
    return stored
  }

  fileprivate func update(_ value: Value) {
    registrar.withMutation(of: self, keyPath: \.value) { stored = value }
  }
}

extension StoreHandle {
  /// A value made of the state, for views.
  ///
  /// - Parameter select: Makes the value, `\.items.count` for example.
  /// - Returns: The observed value; the observation ends with it.
  @MainActor
  public func observed<Value: Equatable & Sendable>(
    _ select: @escaping @Sendable (S.State) -> Value
  ) -> Observed<Value> {
    let observed = Observed(select(state))
    observe(for: observed, select) { $0.update($1) }
    return observed
  }
}
