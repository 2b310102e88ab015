/// A state or a part of one: it can be encoded, compared, and passed between threads.
///
/// Conforming a nested state or phase to it declares all three at once. It also keeps the conformances free
/// of any actor in modules that are isolated to the main actor by default.
///
/// The type must have value semantics throughout: if it refers to an object, that object never changes.
/// Threads share states, and a recorder treats array elements that are bitwise equal to those of the previous
/// state as unchanged.
public protocol StateValue: Codable, Equatable, Sendable {}

/// The states of all stores of a dispatcher at one moment.
public struct Model: Sendable {
  let layout: Layout
  /// The states, in the order of the layout.
  @usableFromInline var snapshots: [StateSnapshot]
  /// The last step that changed a store of this model; 0 if none did.
  ///
  /// Nil if the model came from another dispatcher, see ``Dispatcher/restore(_:)``.
  public internal(set) var step: UInt64?

  init(_ layout: Layout, _ snapshots: [StateSnapshot]) {
    self.layout = layout
    self.snapshots = snapshots
    step = 0
  }

  /// The identifiers of all stores, absent features included, in the order of the dispatcher.
  public var stores: [StoreID] { layout.ids }

  /// The state of a store, shared with the dispatcher; nil if there is no such store, or if it is an absent feature.
  package func snapshot(of id: StoreID) -> StateSnapshot? {
    guard let slot = layout.index(of: id) else { return nil }
    return layout.isFeature[slot] && snapshots[slot].isNil ? nil : snapshots[slot]
  }
}

private protocol AnyOptional {
  var isNil: Bool { get }
}

extension Optional: AnyOptional {
  fileprivate var isNil: Bool { self == nil }
}

/// One store's committed state: immutable and shared by reference.
///
/// Keeping a snapshot costs one reference. A recorder can pass it to another thread and encode it there.
@usableFromInline
package class StateSnapshot: Encodable, @unchecked Sendable {
  // Sendable: the only stored property is the subclass's constant of a Sendable type. The attribute is
  // needed because the class is not final.

  @usableFromInline init() {}

  /// The state; a nil optional for an absent feature.
  @usableFromInline package var value: any Codable & Equatable & Sendable {
    preconditionFailure("Every snapshot is a TypedSnapshot")
  }

  package var isNil: Bool { (value as? any AnyOptional)?.isNil ?? false }

  @inlinable
  final func state<State: Codable & Equatable & Sendable>(as type: State.Type) -> State {
    // Debug builds check the type; a slot only holds snapshots of its state type.
    unsafe unsafeDowncast(self, to: TypedSnapshot<State>.self).state
  }

  /// Encodes the state itself, without a wrapper.
  @usableFromInline package func encode(to encoder: any Encoder) throws {
    preconditionFailure("Every snapshot is a TypedSnapshot")
  }
}

/// A snapshot that knows the type of its state.
@usableFromInline
final class TypedSnapshot<State: Codable & Equatable & Sendable>: StateSnapshot, @unchecked Sendable
{
  // Sendable: one constant of a Sendable type.
  @usableFromInline let state: State

  @inlinable
  init(_ state: State) {
    self.state = state
    super.init()
  }

  @usableFromInline
  override var value: any Codable & Equatable & Sendable { state }

  @usableFromInline
  override func encode(to encoder: any Encoder) throws {
    // A container, because encoders have special rules for some types, for example dates.
    var container = encoder.singleValueContainer()
    try container.encode(state)
  }
}
