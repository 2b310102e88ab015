/// The attempts of an operation that can fail, and the delays between them.
///
/// Delays pass on the dispatcher's clock, which a test can advance. An effect that is cancelled makes no further attempt.
/// ```swift
/// step.effect(
///   "load", ending: { LibraryAction.loaded(Loaded($0)) }, retry: .backoff(attempts: 5)
/// ) { [service] in
///   try await service.load()
/// }
/// ```
public struct Retry: Sendable {
  /// One attempt.
  public static let none = Retry(attempts: 1) { _ in .zero }

  let attempts: Int
  let delay: @Sendable (Int) -> Duration

  /// Creates a retry with custom delays, for example random ones.
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of attempts, the first one included; at least 1.
  ///   - delay: Returns the time to wait after a number of failed attempts, counted from 1.
  public init(attempts: Int, delay: @escaping @Sendable (_ failures: Int) -> Duration) {
    self.attempts = attempts
    self.delay = delay
  }

  /// Returns a retry whose delays grow.
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of attempts, the first one included; at least 1.
  ///   - first: The delay after the first failure.
  ///   - factor: The factor between two delays; at least 1.
  ///   - limit: The longest delay.
  /// - Returns: The retry.
  public static func backoff(
    attempts: Int, first: Duration = .seconds(1), factor: Int = 2, limit: Duration = .seconds(60)
  ) -> Retry {
    let factor = max(1, factor)
    return Retry(attempts: attempts) { failures in
      var delay = first
      // Compared before it is multiplied, because a duration can overflow.
      for _ in 1..<max(1, failures) {
        guard delay <= limit / factor else { return limit }
        delay *= factor
      }
      return min(delay, limit)
    }
  }
}

extension Send {
  /// Runs an operation until it succeeds, or until no attempt is left.
  ///
  /// - Parameters:
  ///   - retry: The attempts and their delays.
  ///   - isolation: The actor of the caller, on which the closure runs.
  ///   - operation: The operation.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the last attempt; `CancellationError` if the effect is cancelled during a delay.
  public func retry<Value>(
    _ retry: Retry, isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws -> Value
  ) async throws -> Value {
    var failures = 0
    while true {
      do {
        return try await operation()
      } catch {
        failures += 1
        if failures >= retry.attempts || Task.isCancelled { throw error }
      }
      try await sleep(for: retry.delay(failures))
    }
  }
}
