public import FluxLog

/// What became of many logs that were verified in one run.
public struct VerifiedSuite: Sendable {
  /// When the run began.
  public var began: LogInstant
  /// How many seconds it took.
  public var seconds: Double
  /// The logs, in the order in which they were named.
  public var logs: [VerifiedLog]

  /// Makes the result of a run.
  public init(began: LogInstant, seconds: Double, logs: [VerifiedLog]) {
    self.began = began
    self.seconds = seconds
    self.logs = logs
  }

  /// How many logs came to a result.
  public func count(_ result: VerifiedLog.Result) -> Int {
    logs.count { $0.result == result }
  }

  /// The logs that were run and did not pass.
  public var failing: [VerifiedLog] { logs.filter { $0.exitCode != 0 } }

  /// The code to end a program with.
  ///
  /// - Parameters:
  ///   - keepsGoing: Whether all logs were to be run: then the largest code of any counts, else that
  ///     of the first that did not pass.
  ///   - allowsEmpty: Whether a run without any log is a success, and not a 5.
  /// - Returns: The code.
  public func exitCode(keepsGoing: Bool, allowsEmpty: Bool) -> Int32 {
    guard !logs.isEmpty else { return allowsEmpty ? 0 : 5 }
    let codes = logs.map(\.exitCode)
    return (keepsGoing ? codes.max() : codes.first { $0 != 0 }) ?? 0
  }

  /// The run in a line: `3 logs: 2 passed, 1 diverged`.
  public var summary: String {
    guard !logs.isEmpty else { return "no logs" }
    let counts = VerifiedLog.Result.allCases.compactMap { result in
      let count = count(result)
      return count == 0 ? nil : "\(count) \(result.rawValue)"
    }
    return "\(logs.count) \(logs.count == 1 ? "log" : "logs"): \(counts.joined(separator: ", "))"
  }
}
