import FluxCore
import FluxJSON
import FluxLog

/// Encodes actions as the text in a log: one line with an object that begins with the type.
enum ActionText {
  /// Encodes a value as an action.
  ///
  /// If the value is not an `Action`, its kind is derived from the name of its type.
  ///
  /// - Throws: The errors of the value's `encode(to:)`.
  static func bytes(of value: some Encodable) throws -> [UInt8] {
    guard let bits = ActionBits(value) else { return try encoded(value) }
    if let text = RepeatedActions.shared.text(of: bits) { return text }
    let text = try encoded(value)
    RepeatedActions.shared.remember(bits, text)
    return text
  }

  private static func encoded(_ value: some Encodable) throws -> [UInt8] {
    let shape = ActionShapes.shared.shape(of: value)
    switch shape.form {
    case .plain:
      return try unsafe LogEncoder().bytes(of: value) { payload in
        unsafe object(shape.typePrefix, caseName: nil, payload)
      }
    case .enumeration:
      return try unsafe LogEncoder().bytes(of: value) { payload in
        unsafe object(shape.typePrefix, of: payload)
      }
    case .special:
      if let batch = value as? Batch { return try encoded(batch) }
      guard let action = value as? NamedAction else {
        preconditionFailure("\(type(of: value)) has a form of its own, but none that is known")
      }
      let typePrefix = ActionShape.typePrefix(action.type)
      guard let payload = action.payload else {
        return unsafe object(typePrefix, caseName: nil, nil)
      }
      return try unsafe LogEncoder().bytes(of: payload) { payload in
        unsafe object(typePrefix, caseName: nil, payload)
      }
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
    return unsafe writer.bytes.withUnsafeBytes { payload in
      unsafe object(ActionShape.typePrefix(Batch.kind), caseName: nil, payload)
    }
  }

  /// Returns the text of an enum case, given the encoded enum.
  private static func object(
    _ typePrefix: [UInt8], of payload: UnsafeRawBufferPointer
  ) -> [UInt8] {
    if unsafe payload.first == UInt8(ascii: "\"") {
      let name = unsafe UnsafeRawBufferPointer(rebasing: payload.dropFirst().dropLast())
      return unsafe object(typePrefix, caseName: name, nil)
    }
    guard let member = unsafe SoleMember(of: payload) else {
      return unsafe object(typePrefix, caseName: nil, payload)
    }
    return unsafe object(
      typePrefix, caseName: UnsafeRawBufferPointer(rebasing: payload[member.name]),
      UnsafeRawBufferPointer(rebasing: payload[member.value]))
  }

  /// Returns the text of an action.
  ///
  /// - Parameters:
  ///   - typePrefix: `{"type":"` and the kind.
  ///   - caseName: The case of an enum, escaped as in a JSON string.
  ///   - payload: The payload; `{}` is omitted.
  /// - Returns: The text of the action.
  private static func object(
    _ typePrefix: [UInt8], caseName: UnsafeRawBufferPointer?, _ payload: UnsafeRawBufferPointer?
  ) -> [UInt8] {
    var text: [UInt8] = []
    unsafe text.reserveCapacity(
      typePrefix.count + (caseName?.count ?? 0) + (payload?.count ?? 0) + 15)
    text += typePrefix
    if let caseName = unsafe caseName {
      text.append(UInt8(ascii: "/"))
      unsafe text.append(contentsOf: caseName)
    }
    text.append(UInt8(ascii: "\""))
    if let payload = unsafe payload, unsafe payload.count > 2 || !payload.elementsEqual("{}".utf8) {
      text += payloadName
      unsafe text.append(contentsOf: payload)
    }
    text.append(UInt8(ascii: "}"))
    return text
  }

  private static let payloadName = Array(#","payload":"#.utf8)
}
