import FluxCore
import FluxLog

/// The text of actions in a log: an object that begins with its type, on one line.
enum ActionText {
  /// Writes any value as an action; the kind of one that is no `Action` comes from its type's name.
  ///
  /// - Throws: Whatever the encoding of the action throws.
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

  /// Puts the case of an enum together, given what it encodes as.
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

  /// Puts an action together.
  ///
  /// - Parameters:
  ///   - typePrefix: `{"type":"` and the kind.
  ///   - caseName: The case of an enum, as it stands between quotes in JSON.
  ///   - payload: The payload; `{}` is left out.
  /// - Returns: The text of the action.
  private static func object(
    _ typePrefix: [UInt8], caseName: UnsafeRawBufferPointer?, _ payload: UnsafeRawBufferPointer?
  ) -> [UInt8] {
    let noBytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    let name = unsafe caseName ?? noBytes
    var value = unsafe payload ?? noBytes
    if unsafe value.count == 2 && value.elementsEqual("{}".utf8) { unsafe value = noBytes }
    let count = typePrefix.count + name.count + value.count + 15
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { text, end in
      var writer = unsafe MemoryWriter(UnsafeMutableRawBufferPointer(text))
      unsafe typePrefix.withUnsafeBytes { unsafe writer.append($0) }
      if unsafe caseName != nil { writer.append("/") }
      unsafe writer.append(name)
      writer.append("\"")
      if unsafe !value.isEmpty { writer.append(#","payload":"#) }
      unsafe writer.append(value)
      writer.append("}")
      end = writer.count
    }
  }
}

/// Writes texts one after the other into memory that has room for all of them.
///
/// `@safe`: no place beyond the end of the memory is written, which outlives the writer.
@safe
private struct MemoryWriter: ~Copyable {
  private let memory: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(_ memory: UnsafeMutableRawBufferPointer) { unsafe self.memory = memory }

  mutating func append(_ text: UnsafeRawBufferPointer) {
    precondition(unsafe memory.count - count >= text.count)
    // There is room, as was made sure of, and the text is memory of its own.
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: text)
    count += text.count
  }

  mutating func append(_ text: StaticString) {
    unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
