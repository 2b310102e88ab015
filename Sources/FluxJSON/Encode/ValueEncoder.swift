struct ValueEncoder: Encoder {
  let place: EncodingPlace

  var codingPath: [any CodingKey] { place.session.codingPath(at: place) }

  var userInfo: [CodingUserInfoKey: Any] {
    place.session.noteContext()
    let info = place.session.userInfo
    return info.isEmpty ? LogEncoder.ambientUserInfo : info
  }

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

struct SingleValueEncoding: SingleValueEncodingContainer {
  let place: EncodingPlace

  var codingPath: [any CodingKey] { place.session.codingPath(at: place) }

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
