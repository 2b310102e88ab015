import FluxCore

/// Caches the type and case that each action name stands for.
///
/// It also caches actions without a payload, which are always equal. Without the cache, looking up
/// a name takes as long as decoding a small payload, and a bare name takes twice as long.
final class ActionMemo: @unchecked Sendable {
  // Sendable: the variable is guarded by `lock`.

  /// The type and case that a name stands for.
  struct Reading {
    let type: any Action.Type
    let caseName: String?
    /// The action that the name stands for without a payload; nil until one was decoded.
    var bare: (any Action)?
  }

  /// The maximum number of names.
  ///
  /// Apps have far fewer cases, but some types accept any number of names.
  private static let limit = 4096

  private let lock = Lock()
  private var readings: [String: Reading] = [:]

  subscript(_ name: String) -> Reading? {
    lock.withLock { readings[name] }
  }

  /// Caches a name whose action was decoded.
  func remember(_ name: String, _ reading: Reading) {
    lock.withLock {
      guard readings[name] != nil || readings.count < Self.limit else { return }
      readings[name] = reading
    }
  }
}
