import FluxCore

/// The tokens seen in a log, and the places that were reported for a value that can be computed from the log.
///
/// Of the tokens, the newest are kept, up to twice ``limit``. If one comes back after that, it counts as new again.
final class SeenTokens: @unchecked Sendable {
  // Sendable: `lock` guards the variables.
  private static let limit = 8_192

  private let lock = Lock()
  private var newer: Set<String> = []
  private var older: Set<String> = []
  private var reported: Set<String> = []

  /// Adds a token; returns `true` if it is new.
  func insert(_ token: String) -> Bool {
    lock.withLock {
      guard !newer.contains(token) else { return false }
      if newer.count == Self.limit {
        older = newer
        newer = []
      }
      newer.insert(token)
      return !older.contains(token)
    }
  }

  /// Adds a place; returns `true` if it was not reported before.
  func report(_ place: String) -> Bool { lock.withLock { reported.insert(place).inserted } }
}
