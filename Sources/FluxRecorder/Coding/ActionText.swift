import FluxCore
import FluxJSON

/// Encodes actions as the text in a log: one line with an object that begins with the type.
enum ActionText {
  /// The shapes by type, because computing one takes microseconds.
  private static let shapes = LockedCache<ObjectIdentifier, ActionShape>(limit: 4096)
  /// The texts of actions that contain no references, which depend on their values only.
  ///
  /// Apps dispatch the same small actions again and again: timer ticks, cursor movements, switches.
  /// Recording such an action with this cache takes 21 % fewer instructions.
  private static let texts = LockedCache<ActionBits, [UInt8]>(limit: 256)

  /// Encodes a value as an action.
  ///
  /// If the value is not an `Action`, its kind is derived from the name of its type.
  static func bytes(of value: some Encodable) throws -> [UInt8] {
    guard let bits = ActionBits(value) else { return try encoded(value) }
    if let text = texts[bits] { return text }
    let text = try encoded(value)
    texts.insert(text, for: bits)
    return text
  }

  private static func encoded(_ value: some Encodable) throws -> [UInt8] {
    let shape = shape(of: type(of: value), value)
    switch shape.form {
    case .plain:
      return try unsafe LogEncoder().bytes(of: value) { payload in
        unsafe object(shape.typePrefix, caseName: nil, payload)
      }
    case .enumeration:
      return try unsafe LogEncoder().bytes(of: value) { payload in
        unsafe object(shape.typePrefix, of: payload, value)
      }
    case .special:
      if let batch = value as? Batch { return try encoded(batch) }
      guard let action = value as? NamedAction else {
        preconditionFailure("\(type(of: value)) is neither a Batch nor a NamedAction")
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

  /// Writes an action that is not `Encodable`, whose payload `read` reads.
  ///
  /// The names are those that the action would have if it were: types, cases, and the cases in them.
  static func bytes(reflecting value: Any, _ read: (Any) throws -> [UInt8]) throws -> [UInt8] {
    let shape = shape(of: type(of: value), value)
    return unsafe try read(value).withUnsafeBytes { payload in
      if case .enumeration = shape.form {
        unsafe object(shape.typePrefix, of: payload, isReflected: true, value)
      } else {
        unsafe object(shape.typePrefix, caseName: nil, payload)
      }
    }
  }

  private static func shape(of type: Any.Type, _ value: @autoclosure () -> Any) -> ActionShape {
    if let shape = shapes[ObjectIdentifier(type)] { return shape }
    let shape = ActionShape(of: value())
    shapes.insert(shape, for: ObjectIdentifier(type))
    return shape
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

  /// Returns the text of an enum, which encodes a case without associated values as a string, or any case as the only
  /// member's name.
  ///
  /// Parsing the payload would add 15 % to the instructions of recording a small step.
  private static func object(
    _ typePrefix: [UInt8], of payload: UnsafeRawBufferPointer, isReflected: Bool = false,
    _ value: @autoclosure () -> Any
  ) -> [UInt8] {
    if unsafe payload.first == UInt8(ascii: "\"") {
      // Not a case: the app encodes an associated value in its own way, and a type is not redacted.
      guard Mirror(reflecting: value()).children.isEmpty else {
        return unsafe object(typePrefix, caseName: nil, payload)
      }
      let name = unsafe UnsafeRawBufferPointer(rebasing: payload.dropFirst().dropLast())
      return unsafe object(typePrefix, caseName: name, nil)
    }
    guard let member = unsafe soleMember(of: payload) else {
      return unsafe object(typePrefix, caseName: nil, payload)
    }
    if member.hasObjects {
      let name = unsafe String(decoding: payload[member.name], as: UTF8.self)
      let text = unsafe UnsafeRawBufferPointer(rebasing: payload[member.value])
      if let nested = unsafe CasePath(
        value(), caseName: name, payload: text, isReflected: isReflected)
      {
        let prefix = typePrefix + Array("/\(nested.path)".utf8)
        return unsafe Array(nested.payload.text.utf8).withUnsafeBytes { payload in
          unsafe object(prefix, caseName: nil, payload)
        }
      }
    }
    return unsafe object(
      typePrefix, caseName: UnsafeRawBufferPointer(rebasing: payload[member.name]),
      UnsafeRawBufferPointer(rebasing: payload[member.value]))
  }

  /// Returns the text of an action.
  ///
  /// `typePrefix` is `{"type":"` and the kind. `caseName` is escaped as in a JSON string. The payload
  /// `{}` is omitted.
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

  /// Finds the only member of an object; nil if valid JSON is not an object with exactly one member.
  ///
  /// `hasObjects` is `true` if the value is an object with a member that is an object.
  private static func soleMember(
    of text: UnsafeRawBufferPointer
  ) -> (name: Range<Int>, value: Range<Int>, hasObjects: Bool)? {
    guard text.count > 4, unsafe text[0] == UInt8(ascii: "{") else { return nil }
    let nameEnd = unsafe stringEnd(in: text, from: 2)
    let value = nameEnd + 2..<text.count - 1
    var depth = 0
    var hasObjects = false
    var place = value.lowerBound
    while place < value.upperBound {
      switch unsafe text[place] {
      case UInt8(ascii: "\""): place = unsafe stringEnd(in: text, from: place + 1)
      case UInt8(ascii: "{"):
        if depth == 1 { hasObjects = true }
        depth += 1
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth == 0: return nil
      default: break
      }
      place += 1
    }
    return (2..<nameEnd, value, hasObjects)
  }

  private static func stringEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var place = start
    while place < text.count, unsafe text[place] != UInt8(ascii: "\"") {
      place += unsafe text[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return place
  }
}

/// The way in which actions of a type are encoded.
private struct ActionShape: Sendable {
  /// `{"type":"` followed by the type's kind.
  let typePrefix: [UInt8]
  let form: Form

  enum Form {
    /// The members are the payload.
    case plain
    /// The case is part of the type.
    case enumeration
    /// ``Batch`` or ``NamedAction``.
    case special
  }

  init(of value: Any) {
    let type = type(of: value)
    typePrefix = Self.typePrefix(
      (type as? any Action.Type)?.kind ?? typeName(of: type, droppingSuffix: "Action"))
    let isEnum = Mirror(reflecting: value).displayStyle == .enum
    form = value is Batch || value is NamedAction ? .special : isEnum ? .enumeration : .plain
  }

  static func typePrefix(_ kind: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("type")
    writer.string(kind)
    // The closing quote is missing because a case name may follow.
    return writer.bytes.dropLast()
  }
}

/// The bits of a small value that contains no references.
///
/// Two values of one type with equal bits are equal. Equal values can have different bits, because
/// some bits may be unused.
private struct ActionBits: Hashable, Sendable {
  private let type: ObjectIdentifier
  private let low: UInt64
  private let high: UInt64

  /// Creates the bits of a value; nil if it contains references or takes more than 16 bytes.
  init?(_ value: some Any) {
    let type = Swift.type(of: value)
    guard _isPOD(type), MemoryLayout.size(ofValue: value) <= 16 else { return nil }
    self.type = ObjectIdentifier(type)
    var bits: (low: UInt64, high: UInt64) = (0, 0)
    unsafe withUnsafeBytes(of: value) { value in
      // The guard above ensures that the value takes at most 16 bytes.
      unsafe withUnsafeMutableBytes(of: &bits) { unsafe $0.copyMemory(from: value) }
    }
    (low, high) = bits
  }
}
