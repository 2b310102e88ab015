import FluxCore

/// Remembers what reading actions has shown: which type and case a name stands for, and the actions that
/// have no payload and so are always the same.
///
/// To find a name out anew took as long as to read a small payload, and a name alone twice as long.
final class ActionMemo: @unchecked Sendable {
  // Sendable: the variable is guarded by `lock`.

  /// What a name stands for.
  struct Reading {
    let type: any Action.Type
    let caseName: String?
    /// The action that the name alone stands for; nil as long as none was read.
    var bare: (any Action)?
  }

  /// An app has far fewer cases; a log may have any number of names that some type accepts.
  private static let limit = 4096

  private let lock = Lock()
  private var readings: [String: Reading] = [:]

  subscript(_ name: String) -> Reading? {
    lock.withLock { readings[name] }
  }

  /// Remembers a name whose action could be read.
  func remember(_ name: String, _ reading: Reading) {
    lock.withLock {
      guard readings[name] != nil || readings.count < Self.limit else { return }
      readings[name] = reading
    }
  }
}
