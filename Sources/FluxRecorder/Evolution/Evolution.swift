public import FluxJSON
import FluxLog
import FluxReplay

// As for the options of a recorder: upcasters need no other import.
@_exported public import struct FluxJSON.LogDecoder
@_exported public import struct FluxJSON.LogEncoder

/// The changes to an app since its logs were recorded: new names and new forms, and what is gone.
///
/// ```swift
/// var evolution = Evolution()
/// evolution.actionAliases = ["basket": "cart"]
/// evolution.storeAliases = ["basket": "cart"]
/// evolution.drop(store: "wishes")
/// evolution.renameMember("/notes/*/text", to: "body")
/// evolution.removeMember("/notes/*/color")
/// evolution.default("/notes/*/isPinned", false)
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

  /// The recorded stores that the app no longer has.
  private(set) var droppedStores: Set<String> = []
  /// The recorded kinds and types of actions that the app no longer has.
  private(set) var droppedActions: Set<String> = []
  /// The changes to members of states, in order, by the recorded identifiers of the stores.
  var stateEdits: [String: [MemberEdit]] = [:]
  /// The changes to members of payloads, in order, by the recorded types of the actions.
  var payloadEdits: [String: [MemberEdit]] = [:]
  /// The states of stores that a log does not have, by the stores' current identifiers.
  var stateDefaults: [String: JSON] = [:]

  /// Creates an evolution without changes.
  public init() {}
}

// MARK: Dropping

extension Evolution {
  /// Drops a store that the app no longer has: its states, effects and rejections are not compared.
  ///
  /// Steps addressed to it, and steps that it rejected, do not run again. A log does not tell which store asked
  /// for a follow-up. A recorded follow-up that the replay does not ask for therefore counts as not compared, in
  /// logs with this store. The report counts everything that was not compared.
  ///
  /// The store's own actions are dropped with ``drop(action:)``. A store that the app still has is not dropped.
  ///
  /// - Parameter store: The recorded identifier of the store.
  public mutating func drop(store: String) {
    droppedStores.insert(store)
  }

  /// Drops actions that the app no longer has: their steps do not run again.
  ///
  /// They are left out of batches, too. If such a step changed stores that the app still has, the replay continues
  /// from the recorded states after the step. The report counts the steps.
  ///
  /// - Parameter action: A recorded type such as `cart/star`, or a kind such as `cart` for all its cases.
  public mutating func drop(action: String) {
    droppedActions.insert(action)
  }
}

// MARK: Conversions

extension Evolution {
  /// The recorded kinds and types of actions that are converted.
  ///
  /// Each maps to its current name. A type with an upcaster maps to itself, because the upcaster's
  /// result depends on the action. So does one of which only members change.
  var recordedActions: [String: String] {
    var recorded = actionAliases
    for type in actionUpcasters.keys { recorded[type] = type }
    for type in payloadEdits.keys where renamed(type) == nil { recorded[type] = type }
    return recorded
  }

  /// The stores whose recorded states have another form now.
  var upcastStores: Set<String> { Set(stateUpcasters.keys).union(stateEdits.keys) }

  func storeName(for recorded: String) -> String { storeAliases[exactly: recorded] ?? recorded }

  func state(_ recorded: JSON, of store: String) throws -> JSON {
    let edited = try (stateEdits[exactly: store] ?? []).reduce(recorded) { try $1.applied(to: $0) }
    return try stateUpcasters[exactly: store]?(edited) ?? edited
  }

  func upcast(_ states: [RecordedState]) throws(ReplayFailure) -> [JSON] {
    try states.map { recorded throws(ReplayFailure) in
      do {
        return try state(recorded.state, of: recorded.store)
      } catch {
        let problem = ReplayFailure.StateProblem(
          store: recorded.store, why: "its upcaster threw \(error)")
        throw ReplayFailure(.statesNotRestorable([problem]))
      }
    }
  }

  /// Returns an action in its current form; nil if that is the recorded form.
  ///
  /// Each action of a batch is converted.
  func action(_ recorded: JSON) throws -> JSON? {
    guard changesActions, let type = recorded["type"]?.string else { return nil }
    if type == "batch" { return try batch(recorded) }
    var payload = recorded["payload"]
    if recorded.membersBesidePayload != nil {
      // Only an upcaster takes them; nothing else may drop them.
      guard let upcaster = actionUpcasters[type] else { return nil }
      return try Self.action((type, recorded.actionContent), by: upcaster)
    }
    let edits = payloadEdits[type] ?? []
    for edit in edits { payload = try edit.applied(toPayload: payload) }
    if let upcaster = actionUpcasters[type] {
      return try Self.action((type, payload), by: upcaster)
    }
    if let name = renamed(type) { return Self.action(name, payload) }
    return edits.isEmpty ? nil : Self.action(type, payload)
  }

  private var changesActions: Bool {
    !actionAliases.isEmpty || !actionUpcasters.isEmpty || !payloadEdits.isEmpty
      || !droppedActions.isEmpty
  }

  /// Returns the current name of a type whose kind was renamed; the longest matching kind wins.
  func renamed(_ type: String) -> String? {
    ActionCoder.lookUp(type, in: actionAliases).map { alias, caseName in
      alias + (caseName.map { "/\($0)" } ?? "")
    }
  }

  private func batch(_ recorded: JSON) throws -> JSON? {
    guard let payload = recorded["payload"], let actions = payload["actions"] else { return nil }
    var writer = JSONWriter()
    try writer.rewrite(payload) { member, writer in
      guard member.step.token == "actions" else { return writer.raw(member.value) }
      writer.beginArray()
      for action in actions.elements {
        let type = action["type"]?.string ?? ""
        if AppDescription.isNamed(type, droppedActions.contains) { continue }
        writer.raw(try self.action(action) ?? action)
      }
      writer.endArray()
    }
    return Self.action("batch", try writer.json())
  }

  private static func action(
    _ recorded: Action, by upcaster: @Sendable (Action) throws -> Action
  ) throws(ActionCodingError) -> JSON {
    do {
      let (type, payload) = try upcaster(recorded)
      return action(type, payload)
    } catch {
      throw ActionCodingError(type: recorded.type, reason: .failedUpcaster("\(error)"))
    }
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
