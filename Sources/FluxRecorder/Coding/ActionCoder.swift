public import FluxCore
public import FluxLog

/// Writes actions as a log has them, and reads them back.
///
/// A struct is written as its kind, with its members as payload; an enum as `kind/case`, with the case's
/// associated values as payload; a batch with its actions in the same form. An empty payload is left
/// out. Log format, "Step".
public struct ActionCoder: Sendable {
  /// The types of actions by their kinds.
  public let types: [String: any Action.Type]
  private let memo = ActionMemo()
  private static let noPayload: JSON = [:]

  /// Creates a coder.
  ///
  /// - Parameter types: The types of actions by their kinds, such as a dispatcher's `actionTypes`;
  ///   only reading needs them.
  public init(types: [String: any Action.Type] = [:]) {
    self.types = types
  }

  /// Writes an action.
  ///
  /// - Parameter action: The action.
  /// - Returns: An object with `type` and, mostly, `payload`.
  /// - Throws: Whatever the encoding of the action throws.
  public func encode(_ action: any Action) throws -> JSON {
    try JSON.parse(try ActionText.bytes(of: action))
  }

  /// Reads an action.
  ///
  /// - Parameter json: An object with `type` and, mostly, `payload`.
  /// - Returns: The action.
  /// - Throws: ``ActionCodingError`` where no type of that name is known, or the payload does not fit it.
  public func decode(_ json: JSON) throws(ActionCodingError) -> any Action {
    guard let name = json["type"]?.string else {
      throw ActionCodingError(type: "", reason: .noType)
    }
    let payload = json["payload"]
    if name == Batch.kind { return try decodeBatch(payload ?? Self.noPayload) }
    let known = memo[name]
    if payload == nil, let bare = known?.bare { return bare }
    guard var reading = known ?? lookUp(name) else {
      throw ActionCodingError(type: name, reason: .unknownType(known: types.keys.sorted()))
    }
    do {
      let action = try decode(reading, payload)
      if payload == nil { reading.bare = action }
      if known == nil || payload == nil { memo.remember(name, reading) }
      return action
    } catch DecodingError.typeMismatch(_, let context)
      where context.codingPath.isEmpty && reading.caseName != nil
    {
      // An enum that finds none of its cases' names says so of itself, and of nothing within it.
      throw ActionCodingError(type: name, reason: .unknownCase)
    } catch {
      throw ActionCodingError(type: name, reason: .unfitPayload("\(error)"))
    }
  }

  /// The type that a name stands for, and the case where it names one.
  private func lookUp(_ name: String) -> ActionMemo.Reading? {
    if let type = types[name] { return ActionMemo.Reading(type: type, caseName: nil) }
    for slash in name.indices.reversed() where name[slash] == "/" {
      if let type = types[String(name[..<slash])] {
        let caseName = String(name[name.index(after: slash)...])
        return ActionMemo.Reading(type: type, caseName: caseName)
      }
    }
    return nil
  }

  /// Reads a struct, or a case of an enum: as a string where that is its raw value, and as an object else.
  private func decode(
    _ reading: ActionMemo.Reading, _ payload: JSON?
  ) throws -> any Action {
    let type = reading.type
    guard let caseName = reading.caseName else {
      return try LogDecoder().decode(type, from: payload ?? Self.noPayload)
    }
    if payload == nil, type is any RawRepresentable<String>.Type {
      return try LogDecoder().decode(type, from: .init(stringLiteral: caseName))
    }
    let json = JSON(dictionaryLiteral: (caseName, payload ?? Self.noPayload))
    return try LogDecoder().decode(type, from: json)
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

/// Says why an action of a log cannot be read.
public struct ActionCodingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of reasons.
  public enum Reason: Equatable, Sendable {
    /// The action has no type.
    case noType
    /// No type of that name is known; the kinds that are.
    case unknownType(known: [String])
    /// The kind is known, and has no case of that name.
    case unknownCase
    /// The payload does not fit the type: what is wrong.
    case unfitPayload(String)
  }

  /// The action's type, as the log has it.
  public let type: String
  /// What is wrong.
  public let reason: Reason

  /// What is wrong, what was expected, and what to do next.
  public var description: String {
    switch reason {
    case .noType:
      "the action has no \"type\"; expected {\"type\":\"kind/case\",\"payload\":…}"
    case .unknownType(let known):
      """
      no action is called "\(type)"; the app knows \(known.joined(separator: ", ")). \
      Where it was renamed, give the replayer an alias
      """
    case .unknownCase:
      """
      the app's actions have no case "\(type)". Where it was renamed, give the replayer an alias or an \
      upcaster
      """
    case .unfitPayload(let problem):
      "the payload of \"\(type)\" does not fit: \(problem)"
    }
  }
}
