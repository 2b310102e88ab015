public import FluxLog

/// How an app has changed since logs were recorded: what was renamed, and what has another form.
///
/// ```swift
/// var evolution = Evolution()
/// evolution.actionAliases = ["basket": "cart"]
/// evolution.storeAliases = ["basket": "cart"]
/// evolution.stateUpcasters["basket"] = { state in
///   state.kind == .array ? ["items": state] : state
/// }
/// ```
/// What a type accepts as it stands, such as a member that became optional, needs nothing here. An
/// upcaster is given every state or action of its name, of new logs as well, and of forks: what has
/// today's form already it returns as it is.
public struct Evolution: Sendable {
  /// What an action is: its type, `cart/add` for instance, and its payload; nil for an empty one.
  public typealias Action = (type: String, payload: JSON?)

  /// Today's kinds of actions, by the kinds under which they were recorded.
  public var actionAliases: [String: String] = [:]
  /// Today's identifiers of stores, by those under which they were recorded.
  public var storeAliases: [String: String] = [:]
  /// Turn actions into today's form, by the types under which they were recorded.
  ///
  /// They come before the aliases, which do not apply to what an upcaster returned.
  public var actionUpcasters: [String: @Sendable (Action) throws -> Action] = [:]
  /// Turn states into today's form, by the identifiers under which their stores were recorded.
  public var stateUpcasters: [String: @Sendable (JSON) throws -> JSON] = [:]

  /// An app as it always was.
  public init() {}
}

extension Evolution {
  /// Whether actions are taken as they are recorded.
  var keepsActions: Bool { actionAliases.isEmpty && actionUpcasters.isEmpty }

  /// The identifier that a store has today.
  func storeName(for recorded: String) -> String { storeAliases[exactly: recorded] ?? recorded }

  /// The state of a store in today's form.
  func state(_ recorded: JSON, of store: String) throws -> JSON {
    try stateUpcasters[exactly: store]?(recorded) ?? recorded
  }

  /// An action in today's form; nil where it is as it was recorded.
  ///
  /// The actions of a batch are each brought into it.
  func action(_ recorded: JSON) throws -> JSON? {
    guard !keepsActions, let type = recorded["type"]?.string else { return nil }
    if type == "batch" { return try batch(recorded) }
    if let upcaster = actionUpcasters[type] {
      let (type, payload) = try upcaster((type, recorded["payload"]))
      return Self.action(type, payload)
    }
    return renamed(type).map { Self.action($0, recorded["payload"]) }
  }

  /// The name of today of a type whose kind was renamed; of two kinds that fit, the longer one.
  private func renamed(_ type: String) -> String? {
    if let alias = actionAliases[type] { return alias }
    for slash in type.indices.reversed() where type[slash] == "/" {
      if let alias = actionAliases[String(type[..<slash])] { return alias + type[slash...] }
    }
    return nil
  }

  private func batch(_ recorded: JSON) throws -> JSON? {
    guard let payload = recorded["payload"], let actions = payload["actions"] else { return nil }
    var writer = JSONWriter()
    writer.beginObject()
    for member in payload.members {
      writer.name(member.name)
      guard member.name == "actions" else {
        writer.raw(member.value)
        continue
      }
      writer.beginArray()
      for action in actions.elements { writer.raw(try self.action(action) ?? action) }
      writer.endArray()
    }
    writer.endObject()
    return Self.action("batch", try writer.json())
  }

  private static func action(_ type: String, _ payload: JSON?) -> JSON {
    guard let payload else { return ["type": .init(stringLiteral: type)] }
    return ["type": .init(stringLiteral: type), "payload": payload]
  }
}

extension Dictionary where Key == String {
  /// The value of the name with these bytes: one that only reads alike is another store's.
  fileprivate subscript(exactly name: String) -> Value? {
    guard let place = index(forKey: name), keys[place].hasSameBytes(as: name) else { return nil }
    return values[place]
  }
}
