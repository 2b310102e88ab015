import FluxCore
import FluxLog

/// The text of actions in a log: an object that begins with its type, on one line.
enum ActionText {
  /// Writes any value as an action; the kind of one that is no `Action` comes from its type's name.
  ///
  /// - Throws: Whatever the encoding of the action throws.
  static func bytes(of value: any Encodable) throws -> [UInt8] {
    guard let bits = ActionBits(value) else { return try encoded(value) }
    if let text = RepeatedActions.shared.text(of: bits) { return text }
    let text = try encoded(value)
    RepeatedActions.shared.remember(bits, text)
    return text
  }

  private static func encoded(_ value: any Encodable) throws -> [UInt8] {
    let shape = ActionShapes.shared.shape(of: value)
    switch shape.form {
    case .plain:
      return object(shape.typePrefix, caseName: nil, try LogEncoder().bytes(of: value)[...])
    case .enumeration:
      return object(shape.typePrefix, of: try LogEncoder().bytes(of: value))
    case .special:
      if let batch = value as? Batch { return try encoded(batch) }
      guard let action = value as? NamedAction else {
        preconditionFailure("\(type(of: value)) has a form of its own, but none that is known")
      }
      let payload = try action.payload.map { try LogEncoder().bytes(of: $0) }
      return object(ActionShape.typePrefix(action.type), caseName: nil, payload?[...])
    }
  }

  private static func encoded(_ batch: Batch) throws -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("actions")
    writer.beginArray()
    for action in batch.actions { writer.raw(try bytes(of: action)) }
    writer.endArray()
    if let label = batch.label {
      writer.name("label")
      writer.string(label)
    }
    writer.endObject()
    return object(ActionShape.typePrefix(Batch.kind), caseName: nil, writer.bytes[...])
  }

  /// Puts the case of an enum together, given what it encodes as.
  private static func object(_ typePrefix: [UInt8], of payload: [UInt8]) -> [UInt8] {
    if payload.first == UInt8(ascii: "\"") {
      return object(typePrefix, caseName: payload.dropFirst().dropLast(), nil)
    }
    guard let member = SoleMember(of: payload) else {
      return object(typePrefix, caseName: nil, payload[...])
    }
    return object(typePrefix, caseName: payload[member.name], payload[member.value])
  }

  /// Puts an action together.
  ///
  /// - Parameters:
  ///   - typePrefix: `{"type":"` and the kind.
  ///   - caseName: The case of an enum, as it stands between quotes in JSON.
  ///   - payload: The payload; `{}` is left out.
  /// - Returns: The text of the action.
  private static func object(
    _ typePrefix: [UInt8], caseName: ArraySlice<UInt8>?, _ payload: ArraySlice<UInt8>?
  ) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(
      typePrefix.count + (caseName?.count ?? 0) + (payload?.count ?? 0) + 15)
    text += typePrefix
    if let caseName {
      text.append(UInt8(ascii: "/"))
      text += caseName
    }
    text.append(UInt8(ascii: "\""))
    if let payload, payload.count > 2 || !payload.elementsEqual("{}".utf8) {
      text += payloadName
      text += payload
    }
    text.append(UInt8(ascii: "}"))
    return text
  }

  private static let payloadName = Array(#","payload":"#.utf8)
}
