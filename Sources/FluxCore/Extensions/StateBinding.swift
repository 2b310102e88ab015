/// A value of a state that can be set: each write dispatches an action.
///
/// One line turns it into a binding of a user interface library:
/// `Binding(get: { draft.value }, set: { draft.value = $0 })`.
public struct StateBinding<Value: Sendable>: Sendable {
  typealias Report = @Sendable (Outcome) -> Void

  fileprivate let read: @Sendable () -> Value
  /// Dispatches the action of a write; the report gets the outcome, even if the action is queued.
  fileprivate let write: @Sendable (Value, Report?) -> Outcome
  fileprivate var report: Report?

  /// The value in the state; setting it dispatches an action.
  ///
  /// If the action is rejected, the value stays as it was. ``set(_:)`` and ``reporting(_:)`` tell why.
  public var value: Value {
    get { read() }
    nonmutating set { set(newValue) }
  }

  /// Dispatches the action of a write.
  ///
  /// - Parameter value: The value to write.
  /// - Returns: The outcome; ``Outcome/rejection`` is the reason if the state refuses the value.
  @discardableResult
  public func set(_ value: Value) -> Outcome {
    write(value, report)
  }

  /// Returns a binding that reports the result of each write on the main actor.
  ///
  /// The report comes before the write returns if the step runs on the main actor. It also comes if the write
  /// happens inside a step and is queued.
  /// ```swift
  /// let coupon = cart.binding(\.coupon, CartAction.redeem).reporting { [weak self] in
  ///   self?.problem = $0?.message
  /// }
  /// ```
  ///
  /// `callback` gets the rejection of a write, or nil.
  public func reporting(_ callback: @escaping @MainActor (Rejection?) -> Void) -> StateBinding {
    let delivery = MainActorDelivery(Cancellation(), callback)
    let earlier = report
    return StateBinding(read: read, write: write) { outcome in
      earlier?(outcome)
      delivery.deliver(outcome.rejection)
    }
  }
}

extension StoreHandle {
  /// Returns a binding of a value; each write dispatches an action.
  /// ```swift
  /// let draft = todos.binding(\.draft, TodoAction.draft)
  /// draft.value = "milk"
  /// ```
  ///
  /// - Parameters:
  ///   - select: Reads the value.
  ///   - action: Makes the action for a written value.
  ///   - file: The calling file, which a log can name.
  ///   - line: The calling line.
  /// - Returns: The binding.
  public func binding<Value: Sendable>(
    _ select: @escaping @Sendable (S.State) -> Value,
    _ action: @escaping @Sendable (Value) -> S.OwnAction,
    file: StaticString = #fileID, line: UInt = #line
  ) -> StateBinding<Value> {
    StateBinding(
      read: { select(state) },
      write: { value, report in
        let call = Call(file: file, line: line, target: id, slot: index)
        return ActionReference.withReference(to: action(value)) {
          dispatcher.engine.dispatch($0, call, then: report)
        }
      })
  }
}
