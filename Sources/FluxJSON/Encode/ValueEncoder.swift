/// The encoder that `encode(to:)` of a value receives.
struct ValueEncoder: Encoder {
  let place: EncodingPlace

  var codingPath: [any CodingKey] { place.session.path(place.level) }

  var userInfo: [CodingUserInfoKey: Any] { place.session.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    open(.object)
    return place.session.containers.container(of: type, at: place)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    open(.array)
    return UnkeyedEncoding(place: place)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValueEncoding(place: place)
  }

  /// Makes the value an object or an array.
  ///
  /// This method cannot throw. It records a misuse, and the next value to be encoded throws it.
  private func open(_ kind: EncodingLevel.Kind) {
    do {
      try place.session.check(place.position)
    } catch {
      place.session.fail(codingPath, "a container was asked of an encoder that is not in use")
      return
    }
    place.session.checkDepth(place)
    if unsafe !place.session.state.open(kind) {
      place.session.fail(codingPath, "two kinds of container were asked of the same encoder")
    }
  }
}

extension EncodingSession {
  /// Returns a session for a nested container or a super-encoder in place of the value just begun.
  func makeChild(at place: EncodingPlace, key: LogKey) -> EncodingSession {
    let child = child(at: place, key: key)
    unsafe state.addChild(child)
    unsafe child.state.push(NestedValue.self)
    return child
  }

  /// Returns a session whose text is discarded, for use after a misuse was recorded.
  func makeOrphan(at place: EncodingPlace, key: LogKey) -> EncodingSession {
    let orphan = orphan(at: place, key: key)
    unsafe orphan.state.push(NestedValue.self)
    unsafe orphan.state.failure = state.failure
    return orphan
  }

  /// The placeholder type of a value whose type is unknown.
  private struct NestedValue: Encodable {}
}

/// Writes a single value in place of the innermost one, without an array or object around it.
struct SingleValueEncoding: SingleValueEncodingContainer {
  let place: EncodingPlace

  var codingPath: [any CodingKey] { place.session.path(place.level) }

  /// Writes a value whose encoding cannot fail.
  @inline(__always)
  private func scalar(_ write: (inout EncodingState) -> Void) throws {
    try place.session.check(place.position)
    guard unsafe place.session.state.openScalar() else { throw taken() }
    unsafe write(&place.session.state)
  }

  private func taken() -> EncodingError {
    EncodingSession.error(() as Any, codingPath, "a second value was encoded in place of the first")
  }

  func encodeNil() throws { try scalar { $0.buffer.append("null") } }
  func encode(_ value: Bool) throws { try scalar { $0.append(value) } }
  func encode(_ value: String) throws { try scalar { $0.append(value) } }
  func encode(_ value: Double) throws { try scalar { $0.buffer.appendNumber(value) } }
  func encode(_ value: Float) throws { try scalar { $0.buffer.appendNumber(value) } }
  func encode(_ value: Int) throws { try encode(Int64(value)) }
  func encode(_ value: Int8) throws { try encode(Int64(value)) }
  func encode(_ value: Int16) throws { try encode(Int64(value)) }
  func encode(_ value: Int32) throws { try encode(Int64(value)) }
  func encode(_ value: Int64) throws { try scalar { $0.buffer.appendNumber(value) } }
  func encode(_ value: UInt) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt8) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt16) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt32) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt64) throws { try scalar { $0.buffer.appendNumber(value) } }
  func encode(_ value: Int128) throws { try scalar { $0.buffer.appendNumber(value) } }
  func encode(_ value: UInt128) throws { try scalar { $0.buffer.appendNumber(value) } }

  func encode<T: Encodable>(_ value: T) throws {
    let session = place.session
    try session.check(place.position)
    guard unsafe session.state.levels[place.level].kind == .nothing else { throw taken() }
    unsafe session.state.levels[place.level].type = T.self
    try session.encodeHere(value)
  }
}

/// One component of a coding path: the name of a member or the index of an element.
struct LogKey: CodingKey, CustomStringConvertible {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }

  static let superclass = LogKey(stringValue: "super")

  var description: String { stringValue }
}
