public import FluxLog

/// An app that can verify a log where it runs, so that neither actions nor states cross a process boundary.
public protocol SelfVerifyingApp: ReplayApp {
  /// Verifies a log.
  ///
  /// - Parameters:
  ///   - timeline: The log.
  ///   - options: The settings.
  ///   - progress: Called from time to time with the number of completed steps and of all steps to replay. An
  ///     error that it throws ends the replay.
  /// - Returns: The report, which equals that of ``Verification/run(progress:)``.
  /// - Throws: The errors of ``Verification/run(progress:)``.
  func verifyLog(
    _ timeline: Timeline, options: Verification.Options,
    progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ReplayReport
}

extension ReplayApp {
  /// Dispatches the actions of a log again, and compares the results with the recorded ones.
  ///
  /// - Parameters:
  ///   - timeline: The log.
  ///   - options: The settings.
  ///   - progress: Called from time to time with the number of completed steps and of all steps to replay. An
  ///     error that it throws ends the replay.
  /// - Returns: The report.
  /// - Throws: The errors of ``Verification/run(progress:)``.
  public func verify(
    _ timeline: Timeline, options: Verification.Options = Verification.Options(),
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> ReplayReport {
    if let app = self as? any SelfVerifyingApp {
      return try app.verifyLog(timeline, options: options, progress: progress)
    }
    return try Verification(of: timeline, in: self, options: options).run(progress: progress)
  }
}
