/// A borrowed action with its type, which travels through the engine without being boxed.
@safe
@usableFromInline
struct ActionReference {
  @usableFromInline let pointer: UnsafeRawPointer
  @usableFromInline let actionType: any Action.Type

  /// Calls `body` with a reference to an action; the reference must not outlive the call.
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

  /// A boxed copy of the action; boxing a large action allocates memory.
  var action: any Action {
    box(actionType)
  }

  private func box<A: Action>(_ type: A.Type) -> any Action { load(as: type) }

  /// Copies the action as its own type.
  @inlinable
  func load<A: Action>(as type: A.Type) -> A {
    // Debug builds check the type. Routes are keyed by the identity of this very type, so it is right by
    // construction; `as!` from `any Action` would cost 15 ns per dispatch.
    assert(actionType == type)
    return unsafe pointer.assumingMemoryBound(to: A.self).pointee
  }
}
