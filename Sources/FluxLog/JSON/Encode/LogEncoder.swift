/// Writes values of `Codable` types as JSON: the form that states and actions have in a log.
///
/// The text is written while the value is walked over, without a tree in between, and is always
/// the same for the same value:
///
/// - members stand in the order of the code points of their names, without blanks;
/// - a `Date` is ISO 8601 in UTC with as many decimals as it takes to read back the same date,
///   `Data` is base64, a `URL` its absolute string, a `Decimal` a number with all its digits;
/// - numbers that are not finite are `"NaN"`, `"Infinity"` and `"-Infinity"`;
/// - a `Set`, and a `Dictionary` whose keys are not written as names, has its elements in the
///   order of their texts. This needs to know the type: where a type hands its own encoder on, as
///   in `set.encode(to: encoder)`, the order is that of the set, which differs between processes.
///
/// What ``LogDecoder`` reads back is equal to what was written, for every type for which that is
/// true of Foundation's JSON coders.
public struct LogEncoder: Sendable {
  /// The order of the members of an object.
  public enum Order: Sendable {
    /// By the code points of their names, as in the states and actions of a log.
    case name
    /// As they are encoded, which for a synthesized `encode(to:)` is the order of its coding keys.
    ///
    /// Dictionaries are written by name all the same.
    case declaration
  }

  /// What the `encode(to:)` of the types finds in their encoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable]
  /// The order of the members of an object.
  public var order: Order

  /// Creates an encoder.
  public init(order: Order = .name, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
    self.order = order
    self.userInfo = userInfo
  }

  /// Encodes a value.
  ///
  /// - Throws: `EncodingError` where the value, or one inside it, encodes nothing, nests deeper
  ///   than ``JSON/maximumDepth``, or uses its encoder in a way that gives no JSON; what its
  ///   `encode(to:)` throws.
  public func encode(_ value: some Encodable) throws -> JSON {
    do {
      return try JSON.parse(bytes(of: value))
    } catch let error as JSONError {
      throw EncodingSession.error(value, [], "what was encoded is not JSON: \(error.message)")
    }
  }

  /// Encodes a value as text in UTF-8.
  ///
  /// - Throws: As ``encode(_:)``.
  public func bytes(of value: some Encodable) throws -> [UInt8] {
    try bytes(of: value, remembering: nil)
  }

  /// The same, with what is remembered of the state that `value` was before, and for the next time.
  func bytes(of value: some Encodable, remembering memory: StateMemory?) throws -> [UInt8] {
    try encoding(value, remembering: memory) { $0.takeBytes() }
  }

  /// Encodes a value, and makes another text of its text, which is there until `body` returns.
  ///
  /// - Throws: As ``encode(_:)``.
  package func bytes(
    of value: some Encodable, rewrittenBy body: (UnsafeRawBufferPointer) -> [UInt8]
  ) throws -> [UInt8] {
    try encoding(value, remembering: nil) { session in
      unsafe session.state.buffer.withBytes(0..<session.state.buffer.count, body)
    }
  }

  @inline(__always)
  private func encoding(
    _ value: some Encodable, remembering memory: StateMemory?,
    _ take: (EncodingSession) -> [UInt8]
  ) throws -> [UInt8] {
    guard userInfo.isEmpty else {
      let session = EncodingSession(userInfo: userInfo)
      defer { session.releaseChildren() }
      unsafe session.state.keepsOrder = order == .declaration
      try session.encodeRoot(value)
      return take(session)
    }
    var session = SpareSessions.take()
    defer { SpareSessions.give(&session) }
    unsafe session.state.keepsOrder = order == .declaration
    guard let memory else {
      try session.encodeRoot(value)
      return take(session)
    }
    memory.begin()
    return try withExtendedLifetime(memory) {
      unsafe session.state.memory = .passUnretained(memory)
      // Also where a container outlives the encoding, whose session nobody takes back.
      defer { unsafe session.state.memory = nil }
      try session.encodeRoot(value)
      return take(session)
    }
  }
}
