public import FluxCore
public import FluxJSON
import FluxLog

/// Encodes actions for a log, and decodes them again.
///
/// A struct is encoded as its kind, with its members as the payload. An enum is encoded as
/// `kind/case`, with the case's associated values as the payload. If an associated value is an action
/// too, its case follows: `app/home/row/toggle`. A batch contains its actions in the same form. An empty
/// payload is omitted. See "Step" in the log format.
public struct ActionCoder: Sendable {
  private let types: [String: any Action.Type]
  /// Decodes payloads; in a replay, also those with tokens.
  package var decoder = LogDecoder()
  /// The types and cases by name, because looking one up takes as long as decoding a small payload.
  private let readings = LockedCache<String, Reading>(limit: 4096)
  private static let noPayload: JSON = [:]

  /// The type and case that a name stands for.
  private struct Reading {
    let type: any Action.Type
    let caseName: String?
    /// The action that the name stands for without a payload; nil until one was decoded.
    var bare: (any Action)?
  }

  /// Creates a coder.
  ///
  /// `types` are the action types by kind, such as a dispatcher's `actionTypes`. Only decoding needs them.
  public init(types: [String: any Action.Type] = [:]) {
    self.types = types
  }

  /// Encodes an action.
  ///
  /// Returns an object with `type` and, unless it is empty, `payload`.
  ///
  /// - Throws: The errors of the action's `encode(to:)`.
  public func encode(_ action: any Action) throws -> JSON {
    try JSON.parse(try ActionText.bytes(of: action))
  }

  /// Decodes an action.
  ///
  /// The object has `type` and, unless it is empty, `payload`.
  ///
  /// - Throws: ``ActionCodingError`` if the type is missing or unknown, or the payload does not fit
  ///   it.
  public func decode(_ json: JSON) throws(ActionCodingError) -> any Action {
    let name = try Self.name(of: json)
    let payload = json["payload"]
    if name == Batch.kind { return try decodeBatch(payload ?? Self.noPayload) }
    let known = readings[name]
    if payload == nil, let bare = known?.bare { return bare }
    let found = known ?? Self.lookUp(name, in: types).map { Reading(type: $0, caseName: $1) }
    guard var reading = found else {
      throw ActionCodingError(type: name, reason: .unknownType(known: types.keys.sorted()))
    }
    do {
      let action = try Self.decode(reading.type, reading.caseName, payload, by: decoder)
      if payload == nil { reading.bare = action }
      if known == nil || payload == nil { readings.insert(reading, for: name) }
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
    for slash in name.indices.reversed() where name[slash] == "/" {
      if let type = types[String(name[..<slash])] {
        return (type, String(name[name.index(after: slash)...]))
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
    guard let elements = payload["actions"], elements.kind == .array else {
      throw ActionCodingError(
        type: Batch.kind, reason: .unfitPayload("it has no array \"actions\""))
    }
    var actions: [any Action] = []
    for element in elements.elements { actions.append(try decode(element)) }
    return Batch(payload["label"]?.string, actions)
  }
}

/// The reason why an action of a log cannot be decoded.
public struct ActionCodingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The reasons why decoding fails.
  public enum Reason: Equatable, Sendable {
    /// The action has no type.
    case noType
    /// No type with that name is known; `known` lists the kinds that are.
    case unknownType(known: [String])
    /// The kind is known but has no case with that name.
    case unknownCase
    /// The action has members other than `type` and `payload`, and no upcaster handles them.
    case extraMembers([String])
    /// The payload does not fit the type; the text describes the problem.
    case unfitPayload(String)
  }

  /// Creates an error from that of a decoder.
  init(type: String, isCase: Bool, _ payload: JSON?, _ error: any Error) {
    self.type = type
    if isCase, case DecodingError.typeMismatch(_, let context) = error, context.codingPath.isEmpty {
      // An enum that recognizes no case name reports a mismatch at its own coding path.
      reason = .unknownCase
      redacted = nil
    } else {
      redacted = Self.redactedPlace(in: payload, error)
      reason = .unfitPayload(Self.problem(error, isCase: isCase))
    }
  }

  /// The problem in words, and its place in the payload.
  private static func problem(_ error: any Error, isCase: Bool) -> String {
    guard let context = (error as? DecodingError)?.context else { return "\(error)" }
    // The path of an enum begins with the case, which is a part of the type.
    let place = context.codingPath.dropFirst(isCase ? 1 : 0).map { key in
      key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
    }.joined()
    return place.isEmpty
      ? context.debugDescription : "\(context.debugDescription), at payload\(place)"
  }

  init(type: String, reason: Reason) {
    self.type = type
    redacted = nil
    self.reason = reason
  }

  /// The action's type, as written in the log.
  public let type: String
  /// The reason for the error.
  public let reason: Reason
  /// A pointer into the payload to a redacted value that is the reason; nil for other reasons.
  let redacted: String?

  /// A message with the problem, the expected form, and a remedy.
  public var description: String {
    switch reason {
    case .noType:
      "the action has no \"type\"; expected {\"type\":\"kind/case\",\"payload\":…}"
    case .unknownType(let known):
      """
      no action is called "\(type)"; the app's actions are \(known.joined(separator: ", ")). \
      If it was renamed, add an alias to the app's Evolution
      """
    case .unknownCase:
      """
      the app's actions have no case "\(type)". If it was renamed, add an alias or an \
      upcaster to the app's Evolution
      """
    case .extraMembers(let names):
      """
      the action "\(type)" has members other than type and payload: \(names.joined(separator: ", ")); to \
      decode it, add an upcaster to the app's Evolution, which gets all of them as the payload
      """
    case .unfitPayload(let problem):
      "the payload of \"\(type)\" does not fit: \(problem)"
    }
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
