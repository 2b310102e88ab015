/// Writes the elements of an array.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
  let place: EncodingPlace

  var codingPath: [any CodingKey] { place.session.codingPath(at: place) }

  var count: Int {
    let session = place.session
    guard unsafe place.level < session.state.levels.count else { return 0 }
    return unsafe session.state.levels[place.level].count
  }

  /// Writes a value whose encoding cannot fail.
  @inline(__always)
  private func element(_ write: (inout EncodingState) -> Void) throws {
    try place.session.check(place.position)
    unsafe place.session.state.beginElement()
    unsafe write(&place.session.state)
  }

  func encodeNil() throws { try element { $0.buffer.append("null") } }
  func encode(_ value: Bool) throws { try element { $0.append(value) } }
  func encode(_ value: String) throws { try element { $0.append(value) } }
  func encode(_ value: Double) throws { try element { $0.buffer.appendNumber(value) } }
  func encode(_ value: Float) throws { try element { $0.buffer.appendNumber(value) } }
  func encode(_ value: Int) throws { try encode(Int64(value)) }
  func encode(_ value: Int8) throws { try encode(Int64(value)) }
  func encode(_ value: Int16) throws { try encode(Int64(value)) }
  func encode(_ value: Int32) throws { try encode(Int64(value)) }
  func encode(_ value: Int64) throws { try element { $0.buffer.appendNumber(value) } }
  func encode(_ value: UInt) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt8) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt16) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt32) throws { try encode(UInt64(value)) }
  func encode(_ value: UInt64) throws { try element { $0.buffer.appendNumber(value) } }
  func encode(_ value: Int128) throws { try element { $0.buffer.appendNumber(value) } }
  func encode(_ value: UInt128) throws { try element { $0.buffer.appendNumber(value) } }

  func encode<T: Encodable>(_ value: T) throws {
    try place.session.check(place.position)
    let mark = unsafe place.session.state.mark()
    unsafe place.session.state.beginElement()
    do {
      try place.session.encodeNext(value)
    } catch {
      unsafe place.session.state.restore(mark)
      throw error
    }
  }

  // MARK: Nested

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nested().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

  func superEncoder() -> any Encoder { nested() }

  private func nested() -> ValueEncoder {
    let session = place.session
    let key = LogKey(intValue: count)
    do {
      try session.check(place.position)
    } catch {
      session.fail(codingPath, "a nested container was asked of a container not in use")
      return ValueEncoder(place: session.makeOrphan(at: place, key: key).innermost)
    }
    unsafe session.state.beginElement()
    return ValueEncoder(place: session.makeChild(at: place, key: key).innermost)
  }
}
