package import FluxCore
package import FluxJSON
import FluxLog

/// Encodes actions for a log, and decodes them again.
///
/// A struct is encoded as its kind, with its members as the payload. An enum is encoded as
/// `kind/case`, with the case's associated values as the payload. If an associated value is an action
/// too, its case follows: `app/home/row/toggle`. A batch contains its actions in the same form. An empty
/// payload is omitted. See "Step" in the log format.
package struct ActionCoder: Sendable {
  private let types: [String: any Action.Type]
  /// Decodes payloads; in a replay, also those with tokens.
  package var decoder = LogDecoder()
  /// The types and cases by name, because looking one up takes as long as decoding a small payload.
  private let readings = LockedCache<BytewiseName, Reading>(limit: 4096)
  private static let noPayload: JSON = [:]

  /// The type and case that a name stands for.
  private struct Reading {
    let type: any Action.Type
    let caseName: String?
    /// The action that the name stands for without a payload; nil until one was decoded.
    var bare: (any Action)?
  }

  /// Creates a coder; only decoding needs the action types by kind, such as a dispatcher's `actionTypes`.
  package init(types: [String: any Action.Type] = [:]) {
    self.types = types
  }

  /// Encodes an action as an object with `type` and, unless it is empty, `payload`.
  package func encode(_ action: any Action) throws -> JSON {
    try JSON.parse(try ActionText.bytes(of: action))
  }

  package func decode(_ json: JSON) throws(ActionCodingError) -> any Action {
    let name = try Self.name(of: json)
    let payload = json["payload"]
    if name == Batch.kind { return try decodeBatch(payload ?? Self.noPayload) }
    let key = BytewiseName(name)
    let known = readings[key]
    if payload == nil, let bare = known?.bare { return bare }
    let found = known ?? Self.lookUp(name, in: types).map { Reading(type: $0, caseName: $1) }
    guard var reading = found else {
      throw ActionCodingError(type: name, reason: .unknownType(known: types.keys.sorted()))
    }
    do {
      let action = try Self.decode(reading.type, reading.caseName, payload, by: decoder)
      if payload == nil { reading.bare = action }
      if known == nil || payload == nil { readings.insert(reading, for: key) }
      return action
    } catch {
      throw ActionCodingError(type: name, isCase: reading.caseName != nil, payload, error)
    }
  }

  /// Returns the type of an action that has no members besides it and a payload.
  static func name(of json: JSON) throws(ActionCodingError) -> String {
    guard let name = json["type"]?.string else {
      throw ActionCodingError(type: "", reason: .noType)
    }
    if let extra = json.membersBesidePayload {
      throw ActionCodingError(type: name, reason: .extraMembers(extra))
    }
    return name
  }

  /// Returns the type and, for an enum, the case that a name stands for: the type has the longest kind.
  static func lookUp<Kind>(
    _ name: String, in types: [String: Kind]
  ) -> (type: Kind, caseName: String?)? {
    if let type = types[name] { return (type, nil) }
    // A slash and a combining mark after it are one Character.
    let scalars = name.unicodeScalars
    for slash in scalars.indices.reversed() where scalars[slash] == "/" {
      if let type = types[String(name[..<slash])] {
        return (type, String(name[scalars.index(after: slash)...]))
      }
    }
    return nil
  }

  /// Decodes a struct or an enum case.
  ///
  /// A case without a payload is decoded from a string if the enum has string raw values. Any other
  /// case is decoded from an object.
  static func decode<A: Decodable>(
    _ type: A.Type, _ caseName: String?, _ payload: JSON?, by decoder: LogDecoder
  ) throws -> A {
    guard let caseName else {
      return try decoder.decode(type, from: payload ?? noPayload)
    }
    if payload == nil, type is any RawRepresentable<String>.Type {
      return try decoder.decode(type, from: .init(stringLiteral: caseName))
    }
    return try CasePath.decode(type, path: caseName, payload: payload ?? noPayload, by: decoder)
  }

  private func decodeBatch(_ payload: JSON) throws(ActionCodingError) -> any Action {
    let list = payload["actions"]
    guard let elements = list, elements.kind == .array else {
      let isListHidden = list?.isRedactionToken == true
      throw ActionCodingError(
        type: Batch.kind, reason: .unfitPayload("it has no array \"actions\""),
        redacted: payload.isRedactionToken ? "" : isListHidden ? "/actions" : nil)
    }
    var actions: [any Action] = []
    for element in elements.elements { actions.append(try decode(element)) }
    return Batch(payload["label"]?.string, actions)
  }
}

extension JSON {
  /// The names of an action's members other than `type` and `payload`; nil if there are none.
  var membersBesidePayload: [String]? {
    guard count > (self["payload"] == nil ? 1 : 2) else { return nil }
    let names = members.map(\.name).filter { $0 != "type" && $0 != "payload" }
    return names.isEmpty ? nil : names
  }
}
