import FluxCore

/// Whether a test has failed; raised from any task of the test.
final class FailureFlag: @unchecked Sendable {
  // Sendable: `value` is guarded by `lock`.
  private let lock = Lock()
  private var value = false

  var isRaised: Bool { lock.withLock { value } }

  func raise() { lock.withLock { value = true } }
}
