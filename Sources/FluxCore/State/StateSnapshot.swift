/// `true` if a value is a nil optional of any type.
func isNil(_ value: Any) -> Bool {
  (value as? any AnyOptional)?.isNil ?? false
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

  /// `true` if the state is a nil optional.
  package var isNil: Bool { FluxCore.isNil(value) }

  /// The state as its own type.
  @inlinable
  final func state<State: Codable & Equatable & Sendable>(as type: State.Type) -> State {
    // Debug builds check the type; a slot only holds snapshots of its own state type.
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
