/// Something that happened, as data: the only way to change a store.
///
/// An action is a value that can be written to a log and read back, so it never holds a closure or a
/// reference. An enum with one case per intention is the usual shape:
/// ```swift
/// enum TodoAction: Action { case add(title: String), toggle(id: Int), clearCompleted }
/// ```
public protocol Action: Codable, Sendable {
  /// The stable name under which actions of this type are recorded and decoded.
  ///
  /// The default is derived from the type's name: `TodoAction` is `"todo"`, `Search.Action` is
  /// `"search"`. Declare it where the type may be renamed, is generic, or shares its name with another
  /// action of the same dispatcher.
  static var kind: String { get }
}

extension Action {
  /// The type's name without `Action`, as in `todo` for `TodoAction`.
  public static var kind: String { typeName(of: Self.self, droppingSuffix: "Action") }
}

/// No action at all: what a store that only reacts to others' actions declares as its own.
extension Never: Action {}

/// The name of an action for people: its kind, and the case where it is an enum, as in `todo/add`.
///
/// It reads the case by reflection, so it is meant for messages and not for every step.
func describe(_ action: any Action) -> String {
  let kind = type(of: action).kind
  guard let label = caseName(of: action) else { return kind }
  return "\(kind)/\(label)"
}

/// The name of the enum case that a value holds; nil where the value is not an enum.
func caseName(of value: Any) -> String? {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .enum else { return nil }
  return mirror.children.first?.label ?? String(describing: value)
}
