/// One encoding, which all encoders and containers that it hands out write to.
///
/// A nested container and a super-encoder may be written to while their parent is written to as
/// well: each has a session of its own, whose text the parent takes when it is done.
final class EncodingSession {
  /// Not checked for overlapping accesses when running, which takes half of the time otherwise.
  ///
  /// There are none: the methods of the state call nothing but each other and those of children,
  /// which never call their parents.
  @exclusivity(unchecked) var state = EncodingState()
  let userInfo: [CodingUserInfoKey: any Sendable]
  /// The session that takes the text of this one, unless this is the outermost.
  ///
  /// The parent holds its children, too, until ``releaseChildren()``. A weak reference would give the parent a
  /// table beside it, through which all its references are counted from then on.
  private var parent: EncodingSession?
  /// The level there, and the key of this one's value.
  private var origin: (level: Int, key: LogKey)?
  /// How many values are around the outermost one of this session.
  private var baseDepth = 0
  /// A session that was inside this one, for the next that will be: an enum with associated values needs one.
  private var spareChild: EncodingSession?
  /// What is shared with the sessions inside this one.
  let containers: KeptContainers

  init(
    userInfo: [CodingUserInfoKey: any Sendable], containers: KeptContainers = KeptContainers()
  ) {
    self.userInfo = userInfo
    self.containers = containers
  }

  /// A session whose text belongs to a value of this one.
  func child(at place: EncodingPlace, key: LogKey) -> EncodingSession {
    let child = spareChild.take() ?? EncodingSession(userInfo: userInfo, containers: containers)
    child.stand(at: place, key, in: self)
    return child
  }

  /// A session like one that belongs to a value of this one, which nothing holds but what is handed out of it.
  func orphan(at place: EncodingPlace, key: LogKey) -> EncodingSession {
    // With containers of its own, which it does not keep: nobody would tell it to let go of them.
    let orphan = EncodingSession(userInfo: userInfo)
    orphan.stand(at: place, key, in: self)
    return orphan
  }

  private func stand(at place: EncodingPlace, _ key: LogKey, in parent: EncodingSession) {
    self.parent = parent
    origin = (place.level, key)
    baseDepth = parent.baseDepth + place.level + 1
    unsafe state.keepsOrder = parent.state.keepsOrder
  }

  // MARK: Values

  func encodeRoot(_ value: some Encodable) throws {
    containers.begin()
    unsafe state.push(type(of: value))
    try encodeHere(value)
    try close(value)
  }

  /// Lets go of all sessions inside this one, which hold it, and of all containers: to be called when the encoding is
  /// done or failed.
  func releaseChildren() {
    if parent == nil { containers.releaseAll() }
    while var child = unsafe state.children.popLast() {
      child.releaseChildren()
      child.parent = nil
      // One that a container outlives in may still be written to.
      guard isKnownUniquelyReferenced(&child), child.capacity <= Self.spareLimit else { continue }
      unsafe child.state.removeAll()
      spareChild = child
    }
  }

  /// A child that keeps more memory than this is not kept.
  private static let spareLimit = 1 << 16

  /// The memory that it keeps, about, but for the spare child, of which there is a limit of its own.
  var capacity: Int {
    unsafe state.buffer.capacity + state.parts.capacity * MemoryLayout<EncodedPart>.size
  }

  func takeBytes() -> [UInt8] { unsafe state.buffer.bytes }

  /// Encodes a value that takes the place of the innermost one, which has nothing yet.
  func encodeHere<T: Encodable>(_ value: T) throws {
    if try unsafe state.write(value, opening: true) { return }
    if try encodeRemembered(value) { return }
    try value.encode(to: ValueEncoder(place: innermost))
  }

  /// Encodes a value whose name, if it has one, has been written.
  @inline(__always)
  func encodeNext<T: Encodable>(_ value: T) throws {
    if try unsafe state.write(value, opening: false) { return }
    unsafe state.push(T.self)
    if try !encodeRemembered(value) { try value.encode(to: ValueEncoder(place: innermost)) }
    try close(value)
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

  /// Appends the text of this session, whose root was left open for its user to write to.
  func append(to buffer: inout ByteBuffer) throws {
    if let failure = unsafe state.failure { throw failure }
    // A super-encoder that nothing was written to stands for a superclass without properties.
    _ = unsafe state.open(.object)
    _ = try unsafe state.close()
    unsafe state.buffer.withBytes(0..<state.buffer.count) { unsafe buffer.append($0) }
  }

  // MARK: Errors

  static func error(_ value: Any, _ path: [any CodingKey], _ message: String) -> EncodingError {
    .invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: message))
  }

  /// Notes a misuse where no error can be thrown; it is thrown by what is encoded next.
  func fail(_ path: [any CodingKey], _ message: String) {
    if unsafe state.failure == nil {
      unsafe state.failure = Self.error(() as Any, path, message)
    }
  }

  /// Throws where the place can no longer, or not yet again, be written to.
  @inline(__always)
  func check(_ position: EncodingPosition) throws {
    guard unsafe state.isInnermost(position), unsafe state.failure == nil else {
      throw misuse(position)
    }
  }

  @inline(never)
  private func misuse(_ position: EncodingPosition) -> any Error {
    if let failure = unsafe state.failure { return failure }
    return Self.error(
      () as Any, path(min(position.level, unsafe state.levels.count - 1)),
      "a container was written to while another value was being encoded, or after its own was")
  }

  /// Says no to more containers inside each other than a parser accepts.
  func checkDepth(_ place: EncodingPlace) {
    guard baseDepth + place.level >= JSON.maximumDepth else { return }
    fail(path(place.level), "more than \(JSON.maximumDepth) arrays and objects inside each other")
  }

  // MARK: Paths

  /// The way to the value at a level.
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
  /// The key of the value that was begun last at a level.
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
