import FluxCore
import FluxLog

extension ActionCoder {
  /// Writes any value as an action; the kind of one that is no `Action` comes from its type's name.
  ///
  /// - Returns: The text of an object that begins with its type.
  func text(of value: any Encodable) throws -> [UInt8] {
    let shape = shapes.shape(of: value)
    switch shape.form {
    case .plain:
      return Self.text(shape.typePrefix, caseName: nil, try LogEncoder().bytes(of: value)[...])
    case .enumeration:
      return Self.text(shape.typePrefix, of: try LogEncoder().bytes(of: value))
    case .special:
      if let batch = value as? Batch { return try text(of: batch) }
      guard let action = value as? NamedAction else {
        preconditionFailure("\(type(of: value)) has a form of its own, but none that is known")
      }
      let payload = try action.payload.map { try LogEncoder().bytes(of: $0) }
      return Self.text(ActionShape.typePrefix(action.type), caseName: nil, payload?[...])
    }
  }

  /// Puts the case of an enum together, given what it encodes as.
  private static func text(_ typePrefix: [UInt8], of payload: [UInt8]) -> [UInt8] {
    if payload.first == UInt8(ascii: "\"") {
      return text(typePrefix, caseName: payload.dropFirst().dropLast(), nil)
    }
    guard let member = SoleMember(of: payload) else {
      return text(typePrefix, caseName: nil, payload[...])
    }
    return text(typePrefix, caseName: payload[member.name], payload[member.value])
  }

  private func text(of batch: Batch) throws -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("actions")
    writer.beginArray()
    for action in batch.actions { writer.raw(try text(of: action as any Encodable)) }
    writer.endArray()
    if let label = batch.label {
      writer.name("label")
      writer.string(label)
    }
    writer.endObject()
    return Self.text(ActionShape.typePrefix(Batch.kind), caseName: nil, writer.bytes[...])
  }

  /// Puts an action together.
  ///
  /// - Parameters:
  ///   - typePrefix: `{"type":"` and the kind.
  ///   - caseName: The case of an enum, as it stands between quotes in JSON.
  ///   - payload: The payload; `{}` is left out.
  /// - Returns: The text of the action.
  private static func text(
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
    if let payload, !payload.elementsEqual("{}".utf8) {
      text += #","payload":"#.utf8
      text += payload
    }
    text.append(UInt8(ascii: "}"))
    return text
  }
}
