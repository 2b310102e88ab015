/// An action where it lies, with its type: what travels through the engine without being boxed.
@safe
@usableFromInline
struct ActionReference {
  @usableFromInline let pointer: UnsafeRawPointer
  @usableFromInline let actionType: any Action.Type

  /// Lends an action to a body; the reference must not outlive it.
  @inlinable
  static func withReference<A: Action, Result, Failure: Error>(
    to action: A, _ body: (ActionReference) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafePointer(to: action) { (pointer) throws(Failure) in
      try body(unsafe ActionReference(pointer: UnsafeRawPointer(pointer), actionType: A.self))
    }
  }

  @inlinable
  init(pointer: UnsafeRawPointer, actionType: any Action.Type) {
    unsafe self.pointer = pointer
    self.actionType = actionType
  }

  /// Copies the action out.
  ///
  /// Boxing costs an allocation for large actions, so only who needs it asks.
  var action: any Action {
    box(actionType)
  }

  private func box<A: Action>(_ type: A.Type) -> any Action { load(as: type) }

  /// Copies the action out as the type it is known to have.
  @inlinable
  func load<A: Action>(as type: A.Type) -> A {
    // Checked in debug builds; the routes are keyed by the identity of this very type. An `as!` from
    // `any Action` instead costs 15 ns a dispatch.
    assert(actionType == type)
    return unsafe pointer.assumingMemoryBound(to: A.self).pointee
  }
}
