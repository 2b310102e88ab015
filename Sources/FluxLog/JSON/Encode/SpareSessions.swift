import FluxSystem

/// Sessions that are done, with their memory, kept for the next values.
///
/// A small action is encoded in 3,000 instructions; to make and free the memory for it took as many again.
enum SpareSessions {
  private static let limit = 4
  /// Larger ones are too much to sit on.
  private static let byteLimit = 1 << 20
  private static let sessions = Monitor<[EncodingSession]>([])

  static func take() -> EncodingSession {
    sessions.withLock { $0.popLast() } ?? EncodingSession(userInfo: [:])
  }

  /// Keeps a session, unless somebody else does: a container that outlives its value must not write into
  /// another one.
  static func give(_ session: inout EncodingSession) {
    session.releaseChildren()
    guard isKnownUniquelyReferenced(&session), session.capacity <= byteLimit else { return }
    unsafe session.state.removeAll()
    let done = session
    sessions.withLock { sessions in
      if sessions.count < limit { sessions.append(done) }
    }
  }
}
