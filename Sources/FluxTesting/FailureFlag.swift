import FluxCore

/// A flag that any task of a test can raise when the test fails.
final class FailureFlag: @unchecked Sendable {
  // Sendable: `value` is guarded by `lock`.
  private let lock = Lock()
  private var value = false

  var isRaised: Bool { lock.withLock { value } }

  func raise() { lock.withLock { value = true } }
}
