/// Finished sessions, kept with their memory for reuse.
///
/// Encoding a small action takes 3,000 instructions. Allocating and freeing the memory for it took
/// the same number.
enum SpareSessions {
  /// `@unchecked Sendable`: nothing else refers to a session that is kept.
  private struct Spare: @unchecked Sendable {
    let session: EncodingSession
  }

  private static let limit = 4
  /// The memory limit for a spare session; a larger one is freed.
  private static let byteLimit = 1 << 20
  private static let sessions = Locked<[Spare]>([])

  static func take() -> EncodingSession {
    sessions.withLock { $0.popLast() }?.session ?? EncodingSession(userInfo: [:])
  }

  /// Keeps a session for reuse, unless it has another owner.
  ///
  /// A container that outlives its value must not write into another value.
  static func give(_ session: inout EncodingSession) {
    session.releaseChildren()
    guard isKnownUniquelyReferenced(&session), session.capacity <= byteLimit else { return }
    unsafe session.state.removeAll()
    let done = Spare(session: session)
    sessions.withLock { sessions in
      if sessions.count < limit { sessions.append(done) }
    }
  }
}
