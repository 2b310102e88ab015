public import Observation

/// A selected value that views can observe like a property of an `@Observable` class.
@MainActor
public final class Observed<Value: Equatable & Sendable>: Observable {
  private let registrar = ObservationRegistrar()
  private var stored: Value

  init(_ value: Value) {
    stored = value
  }

  /// The value as of the last step that has arrived at the main actor.
  public var value: Value {
    registrar.access(self, keyPath: \.value)
    return stored
  }

  fileprivate func update(_ value: Value) {
    registrar.withMutation(of: self, keyPath: \.value) { stored = value }
  }
}

extension Dispatcher {
  /// Returns a value of several stores for views.
  ///
  /// - Returns: The observed value; releasing it ends the observation.
  @MainActor
  public func observed<Value: Equatable & Sendable>(
    _ select: @escaping @Sendable (borrowing ModelReader) -> Value
  ) -> Observed<Value> {
    let observed = Observed(ModelReader.read(engine.publishedModel, select).value)
    observe(for: observed, select) { $0.update($1) }
    return observed
  }
}

extension StoreHandle {
  /// Returns a selected value for views.
  ///
  /// - Returns: The observed value; releasing it ends the observation.
  @MainActor
  public func observed<Value: Equatable & Sendable>(
    _ select: @escaping @Sendable (S.State) -> Value
  ) -> Observed<Value> {
    let observed = Observed(select(state))
    observe(for: observed, select) { $0.update($1) }
    return observed
  }
}
