/// Writes the members of an object.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let target: MemberTarget

  var codingPath: [any CodingKey] {
    let place = target.place
    return place.session.codingPath(at: place)
  }

  /// Writes a name, and a value whose encoding cannot fail.
  @inline(__always)
  private func member(_ key: Key, _ write: (inout EncodingState) -> Void) throws {
    try target.write { session in
      var name = key.stringValue
      name.withUTF8 { unsafe session.state.beginMember(UnsafeRawBufferPointer($0)) }
      unsafe write(&session.state)
    }
  }

  func encodeNil(forKey key: Key) throws { try member(key) { $0.buffer.append("null") } }
  func encode(_ value: Bool, forKey key: Key) throws { try member(key) { $0.append(value) } }
  func encode(_ value: String, forKey key: Key) throws { try member(key) { $0.append(value) } }

  func encode(_ value: Double, forKey key: Key) throws {
    try member(key) { $0.buffer.appendNumber(value) }
  }

  func encode(_ value: Float, forKey key: Key) throws {
    try member(key) { $0.buffer.appendNumber(value) }
  }

  func encode(_ value: Int, forKey key: Key) throws { try encode(Int64(value), forKey: key) }
  func encode(_ value: Int8, forKey key: Key) throws { try encode(Int64(value), forKey: key) }
  func encode(_ value: Int16, forKey key: Key) throws { try encode(Int64(value), forKey: key) }
  func encode(_ value: Int32, forKey key: Key) throws { try encode(Int64(value), forKey: key) }

  func encode(_ value: Int64, forKey key: Key) throws {
    try member(key) { $0.buffer.appendNumber(value) }
  }

  func encode(_ value: UInt, forKey key: Key) throws { try encode(UInt64(value), forKey: key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try encode(UInt64(value), forKey: key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try encode(UInt64(value), forKey: key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try encode(UInt64(value), forKey: key) }

  func encode(_ value: UInt64, forKey key: Key) throws {
    try member(key) { $0.buffer.appendNumber(value) }
  }

  func encode(_ value: Int128, forKey key: Key) throws {
    try member(key) { $0.buffer.appendNumber(value) }
  }

  func encode(_ value: UInt128, forKey key: Key) throws {
    try member(key) { $0.buffer.appendNumber(value) }
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try target.write { session in
      let mark = unsafe session.state.mark()
      var name = key.stringValue
      name.withUTF8 { unsafe session.state.beginMember(UnsafeRawBufferPointer($0)) }
      do {
        try session.encodeNext(value)
      } catch {
        unsafe session.state.restore(mark)
        throw error
      }
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
    let session = place.session
    do {
      try session.check(place.position)
    } catch {
      session.fail(codingPath, "a nested container was asked of a container not in use")
      return ValueEncoder(place: session.makeOrphan(at: place, key: key).innermost)
    }
    var name = key.stringValue
    name.withUTF8 { unsafe session.state.beginMember(UnsafeRawBufferPointer($0)) }
    return ValueEncoder(place: session.makeChild(at: place, key: key).innermost)
  }
}
