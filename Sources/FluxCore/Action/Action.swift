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
  /// `SearchStore.Action` are `"search"`. Declare it if the type may be renamed, is generic, or shares its name with
  /// another action type of the same dispatcher.
  static var kind: String { get }
}

extension Action {
  /// The type's name without `Action`, for example `todo` for `TodoAction`.
  public static var kind: String { typeName(of: Self.self, droppingSuffix: "Action") }
}

/// The action type of stores that only react to other stores' actions.
extension Never: Action {}
