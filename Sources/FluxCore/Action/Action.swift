/// An event as data: the only way to change a store.
///
/// An action is a value that can be written to a log and read back, so it never holds a closure or a
/// reference. The usual shape is an enum with one case per intention:
/// ```swift
/// enum TodoAction: Action { case add(title: String), toggle(id: Int), clearCompleted }
/// ```
public protocol Action: Codable, Sendable {
  /// The stable name under which actions of this type are recorded and decoded.
  ///
  /// The default is derived from the type's name: `TodoAction` is `"todo"`, `Search.Action` and
  /// `SearchStore.Action` are `"search"`. Declare it if the type may be renamed, is generic, or shares its name with another action
  /// type of the same dispatcher.
  static var kind: String { get }
}

extension Action {
  /// The type's name without `Action`, for example `todo` for `TodoAction`.
  public static var kind: String { typeName(of: Self.self, droppingSuffix: "Action") }
}

/// The action type of stores that only react to other stores' actions.
extension Never: Action {}

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
