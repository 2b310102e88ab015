/// Writes values of `Codable` types as JSON, as a log stores states and actions.
///
/// The encoder writes the text while it visits the value, and builds no tree. The same value always
/// has the same text:
///
/// - The members of an object are in the order of the code points of their names. There is no
///   whitespace.
/// - A `Date` is ISO 8601 in UTC, with the decimals needed to read back the same date. `Data` is
///   base64, a `URL` its absolute string, and a `Decimal` a number with all its digits.
/// - Numbers that are not finite are `"NaN"`, `"Infinity"` and `"-Infinity"`.
/// - The elements of a `Set` are in the order of their texts. So are those of a `Dictionary` whose
///   keys are not written as names. The encoder must know the type for this. If a type passes its
///   own encoder on, as in `set.encode(to: encoder)`, the elements keep the order of the set. That
///   order differs between processes.
///
/// ``LogDecoder`` reads back an equal value for every type that Foundation's JSON coders restore
/// exactly.
public struct LogEncoder: Sendable {
  /// The `userInfo` of encoders without one, for everything that runs inside of `withValue`.
  ///
  /// A recording passes the maker of its tokens to the app's types in this way, which costs nothing if no type asks.
  @TaskLocal package static var ambientUserInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// The order of the members of an object.
  public enum Order: Sendable {
    /// By the code points of the names, as in the states and actions of a log.
    case name
    /// In the order of encoding; a synthesized `encode(to:)` follows its coding keys.
    ///
    /// Dictionaries are still sorted by name.
    case declaration
  }

  /// The `userInfo` that types find in their encoder.
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
  /// A value inside it that encodes nothing is written as `{}`.
  ///
  /// - Throws: `EncodingError` if the value encodes nothing, nests deeper than ``JSON/maximumDepth``, or uses its encoder in
  ///   a way that does not produce JSON. Also any error that the value's `encode(to:)` throws; that of a value inside it is
  ///   the underlying error of an `EncodingError` with the path.
  public func encode(_ value: some Encodable) throws -> JSON {
    try encode(value, likely: nil)
  }

  /// Encodes a value as UTF-8 text.
  ///
  /// - Throws: The same errors as ``encode(_:)``.
  public func bytes(of value: some Encodable) throws -> [UInt8] {
    try bytes(of: value, remembering: nil)
  }

  /// Encodes a value as text, and reuses and updates the memory of its previous state.
  package func bytes(of value: some Encodable, remembering memory: StateMemory?) throws -> [UInt8] {
    let bytes = try encoding(value, remembering: memory) { $0.takeBytes() }
    guard let memory, memory.hasMismatch else { return bytes }
    // Other elements in this text may be wrong, too.
    return try encoding(value, remembering: nil) { $0.takeBytes() }
  }

  /// Encodes a value that probably has the text of a known one, which is returned then without parsing anything.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - known: A value whose text is probably the same; nil if there is none.
  ///   - memory: The memory of the value's previous state, which is reused and updated; nil to encode everything.
  ///   - previous: A value whose text differs in few places; nil if there is none.
  /// - Returns: The known value, or the new one.
  /// - Throws: The same errors as ``encode(_:)``.
  package func encode(
    _ value: some Encodable, likely known: JSON?, remembering memory: StateMemory? = nil,
    after previous: JSON? = nil
  ) throws -> JSON {
    let bytes = try bytes(of: value, remembering: memory)
    let isKnown = unsafe known?.withBytes { known in
      unsafe bytes.withUnsafeBytes { unsafe $0.equals(known) }
    }
    if let known, isKnown == true { return known }
    do {
      if let previous, let revision = JSONRevision(bytes, after: previous) { return revision.json }
      return try JSON.parse(bytes)
    } catch {
      throw EncodingSession.error(value, [], "what was encoded is not JSON: \(error.message)")
    }
  }

  /// Encodes a value, and returns what `body` makes of the text.
  package func bytes(
    of value: some Encodable, rewrittenBy body: (UnsafeRawBufferPointer) -> [UInt8]
  ) throws -> [UInt8] {
    try encoding(value, remembering: nil) { session in
      unsafe session.state.buffer.withBytes(0..<session.state.buffer.count, body)
    }
  }

  @inline(__always)
  private func encoding<Text>(
    _ value: some Encodable, remembering memory: StateMemory?,
    _ take: (EncodingSession) -> Text
  ) throws -> Text {
    let isSpare = userInfo.isEmpty
    var session = isSpare ? SpareSessions.take() : EncodingSession(userInfo: userInfo)
    defer { if isSpare { SpareSessions.give(&session) } else { session.releaseChildren() } }
    unsafe session.state.keepsOrder = order == .declaration
    guard isSpare, let memory else {
      try session.encodeRoot(value)
      return take(session)
    }
    memory.begin()
    return try withExtendedLifetime(memory) {
      unsafe session.state.memory = .passUnretained(memory)
      // `SpareSessions` does not reset a session that an outliving container retains.
      defer { unsafe session.state.memory = nil }
      try session.encodeRoot(value)
      return take(session)
    }
  }
}
