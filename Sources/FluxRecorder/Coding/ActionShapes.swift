import FluxCore
import FluxLog

/// How actions of a type are written.
struct ActionShape: Sendable {
  /// `{"type":"` and what the type is called in a log.
  let typePrefix: [UInt8]
  let form: Form

  enum Form {
    /// Its members are the payload.
    case plain
    /// Its case is part of the type.
    case enumeration
    /// ``Batch`` or ``NamedAction``.
    case special
  }

  static func typePrefix(_ kind: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("type")
    writer.string(kind)
    // Without the closing quote, since the name of a case may follow.
    return writer.bytes.dropLast()
  }
}

/// Remembers how types of actions are written: to find out takes microseconds, and a log has few types.
final class ActionShapes: @unchecked Sendable {
  // Sendable: the variable is guarded by `lock`.
  static let shared = ActionShapes()

  private let lock = Lock()
  private var known: [ObjectIdentifier: ActionShape] = [:]

  func shape(of action: some Any) -> ActionShape {
    let type = type(of: action)
    if let shape = lock.withLock({ known[ObjectIdentifier(type)] }) { return shape }
    let kind =
      (type as? any Action.Type)?.kind ?? typeName(of: type, droppingSuffix: "Action")
    let shape = ActionShape(
      typePrefix: ActionShape.typePrefix(kind),
      form: form(of: action))
    lock.withLock { known[ObjectIdentifier(type)] = shape }
    return shape
  }

  private func form(of action: Any) -> ActionShape.Form {
    if action is Batch || action is NamedAction { return .special }
    return Mirror(reflecting: action).displayStyle == .enum ? .enumeration : .plain
  }
}
