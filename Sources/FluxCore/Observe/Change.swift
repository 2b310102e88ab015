/// The change of one store in one step.
public struct Change<Value: Sendable>: Sendable {
  /// The value before the step.
  public let old: Value
  /// The value after the step.
  public let new: Value
  /// The number of the step; if the model was restored, of the last step.
  public let step: UInt64
  /// The action that caused the change; nil if the model was restored, see ``Dispatcher/restore(_:)``.
  public let action: (any Action)?

  @usableFromInline
  init(old: Value, new: Value, step: UInt64, action: (any Action)?) {
    self.old = old
    self.new = new
    self.step = step
    self.action = action
  }
}

extension Change {
  /// Classifies the change of a feature.
  public func mutation<Phase: Equatable>() -> Mutation? where Value == Phase? {
    Mutation(from: old, to: new)
  }
}

/// The ways a step can change a feature.
public enum Mutation: Sendable, Equatable {
  /// The feature appeared.
  case initialization
  /// The feature stayed in the same phase, with different values.
  case actualization
  /// The feature changed its phase.
  case transition
  /// The feature disappeared.
  case deinitialization
}

extension Mutation {
  /// Classifies the change of a feature; nil if the feature was absent and stayed absent.
  package init?<Phase: Equatable>(from old: Phase?, to new: Phase?) {
    switch (old, new) {
    case (nil, nil): return nil
    case (nil, .some): self = .initialization
    case (.some, nil): self = .deinitialization
    case (.some(let old), .some(let new)):
      self = areSameCase(old, new) ? .actualization : .transition
    }
  }
}

/// `true` if two different phases have the same enum case, or are not enums.
private func areSameCase(_ old: some Equatable, _ new: some Equatable) -> Bool {
  let (old, new) = (Mirror(reflecting: old), Mirror(reflecting: new))
  guard old.displayStyle == .enum else { return true }
  // A case without values has no label. The phases differ, so if one has no values, the cases differ.
  guard let label = old.children.first?.label else { return false }
  return label == new.children.first?.label
}
