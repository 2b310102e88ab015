public import FluxJSON
import FluxLog
import FluxReplay

/// The changes to an app since its logs were recorded: new names and new forms.
///
/// ```swift
/// var evolution = Evolution()
/// evolution.actionAliases = ["basket": "cart"]
/// evolution.storeAliases = ["basket": "cart"]
/// evolution.stateUpcasters["basket"] = { state in
///   state.kind == .array ? ["items": state] : state
/// }
/// ```
/// Changes that a type can decode anyway, such as a member that became optional, need no entry. An
/// upcaster receives every state or action with its name, including those of new logs and forks. It
/// returns values that already have the current form unchanged.
public struct Evolution: Sendable {
  /// An action's type, such as `cart/add`, and its payload; nil for an empty payload.
  public typealias Action = (type: String, payload: JSON?)

  /// The current kinds of actions, by their recorded kinds.
  public var actionAliases: [String: String] = [:]
  /// The current identifiers of stores, by their recorded identifiers.
  public var storeAliases: [String: String] = [:]
  /// Closures that convert actions to their current form, by their recorded types.
  ///
  /// Upcasters take precedence over aliases, which do not apply to an upcaster's result.
  public var actionUpcasters: [String: @Sendable (Action) throws -> Action] = [:]
  /// Closures that convert states to their current form, by the recorded identifiers of their
  /// stores.
  public var stateUpcasters: [String: @Sendable (JSON) throws -> JSON] = [:]

  /// Creates an evolution without changes.
  public init() {}
}

extension Evolution {
  /// Returns the current identifier of a store.
  func storeName(for recorded: String) -> String { storeAliases[exactly: recorded] ?? recorded }

  /// Returns a store's state in its current form.
  func state(_ recorded: JSON, of store: String) throws -> JSON {
    try stateUpcasters[exactly: store]?(recorded) ?? recorded
  }

  /// Returns the states of a session in their current form.
  func upcast(_ states: [RecordedState]) throws(ReplayFailure) -> [JSON] {
    var today: [JSON] = []
    today.reserveCapacity(states.count)
    for recorded in states {
      do {
        today.append(try state(recorded.state, of: recorded.store))
      } catch {
        let problem = ReplayFailure.StateProblem(
          store: recorded.store, why: "its upcaster threw \(error)")
        throw ReplayFailure(.statesNotRestorable([problem]))
      }
    }
    return today
  }

  /// Returns an action in its current form; nil if that is the recorded form.
  ///
  /// Each action of a batch is converted.
  func action(_ recorded: JSON) throws -> JSON? {
    guard !actionAliases.isEmpty || !actionUpcasters.isEmpty, let type = recorded["type"]?.string
    else { return nil }
    if type == "batch" { return try batch(recorded) }
    if let upcaster = actionUpcasters[type] {
      let (type, payload) = try upcaster((type, recorded["payload"]))
      return Self.action(type, payload)
    }
    return renamed(type).map { Self.action($0, recorded["payload"]) }
  }

  /// Returns the current name of a type whose kind was renamed; the longest matching kind wins.
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
  /// The value of the key with exactly these bytes.
  ///
  /// A canonically equivalent key belongs to another store.
  fileprivate subscript(exactly name: String) -> Value? {
    guard let place = index(forKey: name), keys[place].hasSameBytes(as: name) else { return nil }
    return values[place]
  }
}
