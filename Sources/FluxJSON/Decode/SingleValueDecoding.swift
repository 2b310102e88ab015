/// Reads a single value, without an array or object around it.
struct SingleValueDecoding: SingleValueDecodingContainer {
  let session: DecodingSession
  let place: Int

  var codingPath: [any CodingKey] { session.path(to: place) }

  func decodeNil() -> Bool { session.kind(at: place) == .null }

  func decode(_ type: Bool.Type) throws -> Bool { try session.bool(at: place) }
  func decode(_ type: String.Type) throws -> String { try session.string(at: place) }
  func decode(_ type: Double.Type) throws -> Double { try session.double(at: place) }
  func decode(_ type: Float.Type) throws -> Float { try session.float(at: place) }
  func decode(_ type: Int.Type) throws -> Int { try session.integer(at: place) }
  func decode(_ type: Int8.Type) throws -> Int8 { try session.integer(at: place) }
  func decode(_ type: Int16.Type) throws -> Int16 { try session.integer(at: place) }
  func decode(_ type: Int32.Type) throws -> Int32 { try session.integer(at: place) }
  func decode(_ type: Int64.Type) throws -> Int64 { try session.integer(at: place) }
  func decode(_ type: UInt.Type) throws -> UInt { try session.integer(at: place) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try session.integer(at: place) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try session.integer(at: place) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try session.integer(at: place) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try session.integer(at: place) }
  func decode(_ type: Int128.Type) throws -> Int128 { try session.integer(at: place) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try session.integer(at: place) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try session.decode(type, at: place)
  }
}
