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
