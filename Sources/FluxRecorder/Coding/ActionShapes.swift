import FluxCore

/// How actions of a type are written.
struct ActionShape: Sendable {
  /// What the type is called in a log.
  let kind: String
  let isEnum: Bool
}

/// Remembers how types of actions are written: to find out takes microseconds, and a log has few types.
final class ActionShapes: @unchecked Sendable {
  // Sendable: the variable is guarded by `lock`.
  private let lock = Lock()
  private var known: [ObjectIdentifier: ActionShape] = [:]

  func shape(of action: Any) -> ActionShape {
    let type = type(of: action)
    if let shape = lock.withLock({ known[ObjectIdentifier(type)] }) { return shape }
    let shape = ActionShape(
      kind: (type as? any Action.Type)?.kind ?? typeName(of: type, droppingSuffix: "Action"),
      isEnum: Mirror(reflecting: action).displayStyle == .enum)
    lock.withLock { known[ObjectIdentifier(type)] = shape }
    return shape
  }
}
