public import FluxJSON
import FluxLog

extension Evolution {
  /// Renames a member of a store's state, or of an action's payload.
  ///
  /// ```swift
  /// evolution.renameMember("/notes/*/text", to: "body")
  /// evolution.renameMember("/text", to: "body", inPayloadOf: "note/add")
  /// ```
  /// An object that already has a member of the new name keeps its form. Changes of members apply in the order
  /// of the calls, before aliases and upcasters.
  ///
  /// - Parameters:
  ///   - place: A JSON Pointer into the payload, or one that begins with the recorded identifier of the store. `*`
  ///     matches any member or element, and `**` any number of them.
  ///   - name: The member's current name.
  ///   - type: The recorded type of the action; nil for a place in a state.
  /// - Precondition: The pointer leads to a member.
  public mutating func renameMember(
    _ place: String, to name: String, inPayloadOf type: String? = nil
  ) {
    edit(place, inPayloadOf: type, .rename(to: name))
  }

  /// Adds a member to the states of a store, or to the payloads of an action, that do not have it.
  ///
  /// ```swift
  /// evolution.default("/todos/filter", "all")
  /// ```
  /// A pointer to a store, such as `/filter`, gives the store a state in logs that do not have the store. By
  /// default it begins in its initial state.
  ///
  /// - Parameters:
  ///   - place: A JSON Pointer as for ``renameMember(_:to:inPayloadOf:)``.
  ///   - value: The value of the member.
  ///   - type: The recorded type of the action; nil for a place in a state.
  /// - Precondition: The pointer leads to a store or to a member.
  public mutating func `default`(
    _ place: String, _ value: JSON, inPayloadOf type: String? = nil
  ) {
    let tokens = MemberEdit.tokens(of: place)
    if type == nil, tokens.count == 1 {
      stateDefaults[tokens[0]] = value
    } else {
      edit(place, inPayloadOf: type, .add(value))
    }
  }

  /// Removes a member from the states of a store, or from the payloads of an action.
  ///
  /// ```swift
  /// evolution.removeMember("/notes/*/isPinned")
  /// ```
  /// Without this, a removed member of a state is a divergence.
  ///
  /// - Parameters:
  ///   - place: A JSON Pointer as for ``renameMember(_:to:inPayloadOf:)``.
  ///   - type: The recorded type of the action; nil for a place in a state.
  /// - Precondition: The pointer leads to a member.
  public mutating func removeMember(_ place: String, inPayloadOf type: String? = nil) {
    edit(place, inPayloadOf: type, .remove)
  }

  private mutating func edit(
    _ place: String, inPayloadOf type: String?, _ change: MemberEdit.Change
  ) {
    let tokens = MemberEdit.tokens(of: place)
    if let type {
      payloadEdits[type, default: []].append(MemberEdit(tokens[...], of: place, change))
    } else {
      stateEdits[tokens.first ?? "", default: []].append(
        MemberEdit(tokens.dropFirst(), of: place, change))
    }
  }
}

/// A change to a member of the objects at a place of a value.
struct MemberEdit: Sendable {
  enum Change: Sendable {
    case rename(to: String)
    case add(JSON)
    case remove
  }

  /// The names that lead to the objects, with `*` and `**`.
  private let place: [String]
  private let name: String
  private let change: Change

  /// Creates the change of the member that the names of a pointer lead to.
  init(_ tokens: ArraySlice<String>, of pointer: String, _ change: Change) {
    guard let name = tokens.last, name != "*", name != "**" else {
      preconditionFailure("\"\(pointer)\" does not name a member; write \"/store/member\"")
    }
    place = Array(tokens.dropLast())
    self.name = name
    self.change = change
  }

  /// Returns the names of a pointer, which must be valid: a pointer in source code is not input.
  static func tokens(of pointer: String) -> [String] {
    do {
      return try Pointer(pointer).tokens
    } catch {
      preconditionFailure("\(error)")
    }
  }

  func applied(to value: JSON) throws -> JSON { try edited(value, place[...]) ?? value }

  /// Returns a payload with the change; nil stands for an empty one.
  func applied(toPayload payload: JSON?) throws -> JSON? {
    let edited = try applied(to: payload ?? [:])
    return payload == nil && edited.count == 0 ? nil : edited
  }

  /// Returns a changed value; nil if nothing in it changes.
  private func edited(_ value: JSON, _ rest: ArraySlice<String>) throws -> JSON? {
    guard let name = rest.first else { return try changed(value) }
    let inner = rest.dropFirst()
    guard name == "**" else {
      return try value.replacingChildren {
        try name == "*" || $0.hasSameBytes(as: name) ? edited($1, inner) : nil
      }
    }
    let here = try edited(value, inner)
    return try (here ?? value).replacingChildren { try edited($1, rest) } ?? here
  }

  /// Returns an object with the change; nil if it does not apply.
  private func changed(_ object: JSON) throws -> JSON? {
    guard object.kind == .object else { return nil }
    var members = object.members.map { (name: $0.name, value: $0.value) }
    switch change {
    case .rename(let new):
      guard let place = members.firstIndex(where: { $0.name.hasSameBytes(as: name) }),
        object[new] == nil
      else { return nil }
      members[place].name = new
    case .add(let value):
      guard object[name] == nil else { return nil }
      members.append((name, value))
    case .remove:
      guard object[name] != nil else { return nil }
      members.removeAll { $0.name.hasSameBytes(as: name) }
    }
    return try JSON(sorting: members)
  }
}

extension JSON {
  func replacing(_ name: String, with value: JSON) throws -> JSON {
    try replacingChildren { $0.hasSameBytes(as: name) ? value : $1 } ?? self
  }

  /// Creates an object; states in logs have their members sorted by code point.
  fileprivate init(sorting members: [(name: String, value: JSON)]) throws {
    var writer = JSONWriter()
    writer.beginObject()
    for member in members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      writer.member(member.name, member.value)
    }
    writer.endObject()
    self = try writer.json()
  }
}
