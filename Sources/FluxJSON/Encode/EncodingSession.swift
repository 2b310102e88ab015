/// One encoding, which all its encoders and containers write to.
///
/// Code may alternate between writing to a nested container or super-encoder and to its parent.
/// So each nested one has another session, whose text the parent inserts when the parent's value
/// ends.
final class EncodingSession {
  /// The text and the values in progress.
  ///
  /// Exclusivity is not checked at run time, because the checks take half of the encoding time.
  /// Accesses cannot overlap: the methods of the state call only each other and those of children,
  /// and children never call their parents.
  @exclusivity(unchecked) var state = EncodingState()
  let userInfo: [CodingUserInfoKey: any Sendable]
  /// The session that takes over the text of this one, or `nil` if this is the outermost one.
  ///
  /// The parent also holds its children until ``releaseChildren()``. A weak reference would give
  /// the parent a side table, which slows down all reference counting on it.
  private(set) var parent: EncodingSession?
  private var origin: (level: Int, key: LogKey)?
  /// The number of values that enclose the outermost value of this session.
  private var baseDepth = 0
  /// The container cache, which nested sessions share with the outermost one.
  fileprivate(set) var containers: ContainerCache
  /// The innermost value that threw, while its error passes through the values around it; `outer` is the next of them.
  private var thrower: (value: Any, path: [any CodingKey], outer: UInt32)?

  init(
    userInfo: [CodingUserInfoKey: any Sendable], containers: ContainerCache = ContainerCache()
  ) {
    self.userInfo = userInfo
    self.containers = containers
  }

  /// Returns the encoder of a nested container, or a super-encoder, in place of a value that `begin` begins.
  func nested(
    at place: EncodingPlace, _ key: LogKey, _ begin: (inout EncodingState) -> Void
  ) -> ValueEncoder {
    /// The placeholder type of a value whose type is unknown.
    struct NestedValue: Encodable {}
    do {
      try check(place.position)
    } catch {
      fail(codingPath(at: place), "a nested container was asked of a container not in use")
      // Everything that is encoded there throws the failure.
      return ValueEncoder(place: place)
    }
    unsafe begin(&state)
    let child =
      userInfo.isEmpty
      ? SpareSessions.takeNested(containers)
      : EncodingSession(userInfo: userInfo, containers: containers)
    unsafe state.addChild(child)
    child.parent = self
    child.origin = (place.level, key)
    child.baseDepth = baseDepth + place.level + 1
    unsafe child.state.keepsOrder = state.keepsOrder
    unsafe child.state.push(NestedValue.self)
    return ValueEncoder(place: child.innermost)
  }

  // MARK: Values

  func encodeRoot(_ value: some Encodable) throws {
    containers.begin()
    unsafe state.push(type(of: value))
    do {
      try encodeHere(value)
      try close(value)
    } catch {
      throw located(error)
    }
  }

  /// Releases all child sessions, which hold this one, and all containers.
  func releaseChildren() {
    if thrower != nil { thrower = nil }
    if parent == nil { containers.releaseAll() }
    while var child = unsafe state.children.popLast() {
      child.releaseChildren()
      (child.parent, child.origin, child.baseDepth) = (nil, nil, 0)
      guard isKnownUniquelyReferenced(&child) else {
        // Code that keeps an encoder may use it on another thread, while this one encodes the next value.
        child.containers = ContainerCache()
        continue
      }
      if userInfo.isEmpty { SpareSessions.giveNested(child) }
    }
  }

  /// The approximate memory that the session keeps, in bytes.
  var capacity: Int {
    unsafe state.buffer.capacity + state.parts.capacity * MemoryLayout<EncodedPart>.size
  }

  func takeBytes() -> [UInt8] { unsafe state.buffer.bytes }

  /// Encodes a value in place of the innermost one, which is still empty.
  func encodeHere<T: Encodable>(_ value: T) throws {
    if unsafe state.write(value, opening: true) { return }
    if try encodeRemembered(value) { return }
    try value.encode(to: ValueEncoder(place: innermost))
  }

  /// Encodes the next element, or the value of the member whose name was just written.
  @inline(__always)
  func encodeNext<T: Encodable>(_ value: T) throws {
    if unsafe state.write(value, opening: false) { return }
    unsafe state.push(T.self)
    if try !encodeRemembered(value) { try value.encode(to: ValueEncoder(place: innermost)) }
    if unsafe state.levels[state.levels.count - 1].kind == .nothing {
      // As JSONEncoder writes it. The registrar of an observable state encodes nothing, and decodes from anything.
      _ = unsafe state.open(.object)
    }
    try close(value)
  }

  /// Encodes the next value, or rolls back the member or element that began after the mark.
  @inline(__always)
  func encodeNext<T: Encodable>(_ value: T, orRestore mark: EncodingState.Mark) throws {
    do {
      try encodeNext(value)
    } catch {
      noteThrower(value)
      unsafe state.restore(mark)
      throw error
    }
  }

  /// Writes a scalar in place of an empty value.
  @inline(__always)
  func encodeScalar(at place: EncodingPlace, _ write: (inout ByteBuffer) -> Void) throws {
    try checkIsEmpty(place)
    _ = unsafe state.openScalar()
    unsafe write(&state.buffer)
  }

  var innermost: EncodingPlace {
    let level = unsafe state.levels.count - 1
    return EncodingPlace(
      session: self,
      position: EncodingPosition(level: level, serial: unsafe state.levels[level].serial))
  }

  @inline(__always)
  private func close<T: Encodable>(_ value: T) throws {
    guard unsafe state.failure == nil, try unsafe state.close() else { throw nothing(value) }
  }

  @inline(never)
  private func nothing(_ value: some Encodable) -> any Error {
    if let failure = unsafe state.failure { return failure }
    return Self.error(
      value, path(unsafe state.levels.count - 1), "the value encoded nothing")
  }

  /// Completes this session's root value, and appends its text to `buffer`.
  func append(to buffer: inout ByteBuffer) throws {
    if let failure = unsafe state.failure { throw failure }
    // An unused super-encoder belongs to a superclass without properties.
    _ = unsafe state.open(.object)
    _ = try unsafe state.close()
    unsafe state.buffer.withBytes(0..<state.buffer.count) { unsafe buffer.append($0) }
  }

  // MARK: Errors

  /// Notes a value whose `encode(to:)` threw, unless a value in it did.
  ///
  /// An error that was caught on its way belongs to no later one, so the values around it are told by their serials.
  @inline(never)
  func noteThrower(_ value: Any) {
    let level = unsafe state.levels.count - 1
    guard parent == nil, level > 0 else { return }
    let outer = unsafe state.levels[level - 1].serial
    if unsafe thrower?.outer == state.levels[level].serial {
      thrower?.outer = outer
    } else {
      thrower = (value, path(level), outer)
    }
  }

  /// Returns the error of the outermost value; one that a value inside threw gets the path of that value.
  private func located(_ error: any Error) -> any Error {
    guard !(error is EncodingError), let thrower = thrower.take(),
      unsafe thrower.outer == state.levels[0].serial
    else { return error }
    return EncodingError.invalidValue(
      thrower.value,
      EncodingError.Context(
        codingPath: thrower.path, debugDescription: "encoding the value threw an error",
        underlyingError: error))
  }

  static func error(_ value: Any, _ path: [any CodingKey], _ message: String) -> EncodingError {
    let cause = EncoderMisuse(message: message)
    return .invalidValue(
      value,
      EncodingError.Context(codingPath: path, debugDescription: message, underlyingError: cause))
  }

  /// Records a misuse in a method that cannot throw; the next value to be encoded throws it.
  func fail(_ path: [any CodingKey], _ message: String) {
    if unsafe state.failure == nil {
      unsafe state.failure = Self.error(() as Any, path, message)
    }
  }

  /// Throws if the position is not the innermost level, or if a misuse was recorded.
  @inline(__always)
  func check(_ position: EncodingPosition) throws {
    guard unsafe state.isInnermost(position), unsafe state.failure == nil else {
      throw misuse(position)
    }
  }

  /// Throws if another value was encoded in place of the innermost one.
  @inline(__always)
  func checkIsEmpty(_ place: EncodingPlace) throws {
    try check(place.position)
    guard unsafe state.levels[place.level].kind == .nothing else {
      throw Self.error(
        () as Any, codingPath(at: place), "a second value was encoded in place of the first")
    }
  }

  @inline(never)
  private func misuse(_ position: EncodingPosition) -> any Error {
    if let failure = unsafe state.failure { return failure }
    return Self.error(
      () as Any, path(min(position.level, unsafe state.levels.count - 1)),
      "a container was written to while another value was being encoded, or after its own was")
  }

  /// Records a failure if containers nest deeper than the parser accepts.
  func checkDepth(_ place: EncodingPlace) {
    guard baseDepth + place.level >= JSON.maximumDepth else { return }
    fail(path(place.level), "more than \(JSON.maximumDepth) arrays and objects inside each other")
  }

  // MARK: Paths

  /// The coding path that a container or an encoder of this session shows to the encoded type.
  func codingPath(at place: EncodingPlace) -> [any CodingKey] {
    noteContext()
    return path(place.level)
  }

  func path(_ level: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    if let origin { path = (parent?.path(origin.level) ?? []) + [origin.key] }
    for outer in unsafe 0..<max(min(level, state.levels.count - 1), 0) {
      path.append(unsafe state.lastKey(at: outer))
    }
    return path
  }
}

extension EncodingState {
  /// Returns the key of the value most recently begun at a level.
  func lastKey(at place: Int) -> LogKey {
    let level = levels[place]
    guard level.kind == .object, parts.count > level.firstPart else {
      return LogKey(intValue: max(level.count - 1, 0))
    }
    let end = place + 1 < levels.count ? levels[place + 1].firstPart : parts.count
    let part = parts[end - 1]
    return LogKey(
      stringValue: unsafe buffer.withBytes(part.start + 1..<part.nameEnd - 1) {
        unsafe JSONString.decoded($0, escaped: true)
      })
  }
}

/// Finished sessions, up to four outermost and four nested ones, kept with their memory for reuse.
///
/// Without them, recording a step of two todos takes 175 % more instructions.
enum SpareSessions {
  /// The memory limit for a spare session; a larger one is freed.
  private static let byteLimit = 1 << 22
  private static let outermost = Spares<EncodingSession>()
  /// Kept apart, so that a value of many nested containers does not evict the outermost sessions.
  private static let nested = Spares<EncodingSession>()

  static func take() -> EncodingSession { outermost.take() ?? EncodingSession(userInfo: [:]) }

  /// Takes a session that shares the container cache of its parent.
  static func takeNested(_ containers: ContainerCache) -> EncodingSession {
    guard let session = nested.take() else {
      return EncodingSession(userInfo: [:], containers: containers)
    }
    session.containers = containers
    return session
  }

  /// Keeps a session for reuse, unless it has another owner.
  static func give(_ session: inout EncodingSession) {
    session.releaseChildren()
    if isKnownUniquelyReferenced(&session) { keep(session, in: outermost) }
  }

  /// Keeps a nested session, which has no other owner and no children, for reuse.
  static func giveNested(_ session: EncodingSession) { keep(session, in: nested) }

  private static func keep(_ session: EncodingSession, in spares: Spares<EncodingSession>) {
    guard session.capacity <= byteLimit else { return }
    unsafe session.state.removeAll()
    _ = spares.give(session)
  }
}

/// The cause of an error that the encoder itself throws, whose message quotes no value.
package struct EncoderMisuse: Error {
  package let message: String
}
