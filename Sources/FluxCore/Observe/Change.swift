/// One store's change in one step.
public struct Change<Value: Sendable>: Sendable {
  /// The value before the step.
  public let old: Value
  /// The value after the step.
  public let new: Value
  /// The number of the step.
  public let step: UInt64
  /// The action that did it.
  public let action: any Action

  @usableFromInline
  init(old: Value, new: Value, step: UInt64, action: any Action) {
    self.old = old
    self.new = new
    self.step = step
    self.action = action
  }
}

extension Change {
  /// What happened to the feature whose change this is.
  public func mutation<Phase: Equatable>() -> Mutation? where Value == Phase? {
    Mutation(from: old, to: new)
  }
}
