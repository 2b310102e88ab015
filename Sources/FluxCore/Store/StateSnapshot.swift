/// One store's committed state, shared by reference and never changed.
///
/// Keeping one costs a reference; a recorder can hand it to another thread and encode it there.
public class StateSnapshot: Encodable, @unchecked Sendable {
  // Sendable: the only stored property is the subclass's constant, and it is Sendable. The attribute
  // is needed because the class is not final.

  @usableFromInline init() {}

  /// The state; an absent feature's is a nil optional.
  public var value: any Codable & Equatable & Sendable {
    preconditionFailure("a snapshot is always one of a state")
  }

  /// Whether the state is a nil optional.
  package var isNil: Bool { FluxCore.isNil(value) }

  /// The state as the type that it is known to have.
  @inlinable
  final func state<State: Codable & Equatable & Sendable>(as type: State.Type) -> State {
    // Checked in debug builds; a slot only ever holds snapshots of its own type.
    unsafe unsafeDowncast(self, to: TypedSnapshot<State>.self).state
  }

  /// Encodes the state itself, without anything around it.
  public func encode(to encoder: any Encoder) throws {
    preconditionFailure("a snapshot is always one of a state")
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
    // Through a container, because encoders treat some types, dates for example, in ways of their own.
    var container = encoder.singleValueContainer()
    try container.encode(state)
  }
}
