/// The encoder that a value is given; it and its containers write into one ``EncodingSession``.
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

// In each container, one generic method encodes the values of all types. The standard library gives 128-bit integers
// another one, which would be preferred to it.

/// Writes the members of an object.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let target: MemberTarget

  var codingPath: [any CodingKey] {
    let place = target.place
    return place.session.codingPath(at: place)
  }

  @inline(__always)
  private func begin(_ key: Key, in session: EncodingSession) {
    var name = key.stringValue
    name.withUTF8 { unsafe session.state.beginMember(UnsafeRawBufferPointer($0)) }
  }

  func encodeNil(forKey key: Key) throws {
    try target.write { session in
      begin(key, in: session)
      unsafe session.state.buffer.append("null")
    }
  }

  @inline(__always)
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try member(value, key) }

  func encode(_ value: Int128, forKey key: Key) throws { try member(value, key) }

  func encode(_ value: UInt128, forKey key: Key) throws { try member(value, key) }

  @inline(__always)
  private func member<T: Encodable>(_ value: T, _ key: Key) throws {
    try target.write { session in
      let mark = unsafe session.state.mark()
      begin(key, in: session)
      try session.encodeNext(value, orRestore: mark)
    }
  }

  // MARK: Nested

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nested(LogKey(stringValue: key.stringValue)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(LogKey(stringValue: key.stringValue)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested(.superclass) }

  func superEncoder(forKey key: Key) -> any Encoder {
    nested(LogKey(stringValue: key.stringValue))
  }

  private func nested(_ key: LogKey) -> ValueEncoder {
    let place = target.place
    return place.session.nested(at: place, key) { state in
      var name = key.stringValue
      name.withUTF8 { unsafe state.beginMember(UnsafeRawBufferPointer($0)) }
    }
  }
}

/// Writes the elements of an array.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
  let place: EncodingPlace

  var codingPath: [any CodingKey] { place.session.codingPath(at: place) }

  var count: Int {
    let session = place.session
    guard unsafe place.level < session.state.levels.count else { return 0 }
    return unsafe session.state.levels[place.level].count
  }

  func encodeNil() throws {
    try place.session.check(place.position)
    unsafe place.session.state.beginElement()
    unsafe place.session.state.buffer.append("null")
  }

  @inline(__always)
  func encode<T: Encodable>(_ value: T) throws { try element(value) }

  func encode(_ value: Int128) throws { try element(value) }

  func encode(_ value: UInt128) throws { try element(value) }

  @inline(__always)
  private func element<T: Encodable>(_ value: T) throws {
    try place.session.check(place.position)
    let mark = unsafe place.session.state.mark()
    unsafe place.session.state.beginElement()
    try place.session.encodeNext(value, orRestore: mark)
  }

  // MARK: Nested

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    superEncoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    superEncoder().unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    place.session.nested(at: place, LogKey(intValue: count)) { state in state.beginElement() }
  }
}

/// Writes a value without members and elements.
struct SingleValueEncoding: SingleValueEncodingContainer {
  let place: EncodingPlace

  var codingPath: [any CodingKey] { place.session.codingPath(at: place) }

  func encodeNil() throws { try place.session.encodeScalar(at: place) { $0.append("null") } }

  @inline(__always)
  func encode<T: Encodable>(_ value: T) throws { try single(value) }

  func encode(_ value: Int128) throws { try single(value) }

  func encode(_ value: UInt128) throws { try single(value) }

  @inline(__always)
  private func single<T: Encodable>(_ value: T) throws {
    let session = place.session
    try session.checkIsEmpty(place)
    unsafe session.state.levels[place.level].type = T.self
    try session.encodeHere(value)
  }
}

/// The name of a member, whatever it is, or the index of an element.
package struct LogKey: CodingKey, CustomStringConvertible {
  package let stringValue: String
  package let intValue: Int?

  package init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  package init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }

  static let superclass = LogKey(stringValue: "super")

  package var description: String { stringValue }
}
