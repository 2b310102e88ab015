import FluxCore

/// Remembers which types of actions are enums: reflection takes a microsecond, and a log has few types.
final class TypeShapes: @unchecked Sendable {
  // Sendable: the variable is guarded by `lock`.
  private let lock = Lock()
  private var enums: [ObjectIdentifier: Bool] = [:]

  func isEnum(_ action: any Action) -> Bool {
    let type = ObjectIdentifier(Swift.type(of: action))
    if let known = lock.withLock({ enums[type] }) { return known }
    let isEnum = Mirror(reflecting: action).displayStyle == .enum
    lock.withLock { enums[type] = isEnum }
    return isEnum
  }
}
