import FluxCommands
package import FluxInspector
public import FluxLog
public import FluxReplay

/// Verifies many logs, several at a time.
public struct CorpusVerification: Sendable {
  /// Verifies one log: in process, or in a host.
  public typealias Verify =
    @Sendable (
      _ log: Timeline, _ options: Verification.Options,
      _ progress: (_ done: Int, _ total: Int) throws -> Void
    ) throws -> ReplayReport

  /// The options for each log.
  public var options = Verification.Options()
  /// The number of logs that are verified at a time.
  public var jobs = 1
  /// `true` to go on after a log that did not pass.
  public var keepsGoing = false
  /// `true` if a log passes although no step was compared.
  public var allowsEmpty = false
  /// `true` if a log that was not closed does not pass.
  public var isStrict = false
  /// Opens the log at a path.
  public var open: @Sendable (String) throws -> LogFile = { try LogFile.open($0) }
  /// Returns `true` to stop; called often.
  public var isInterrupted: @Sendable () -> Bool = { false }
  private let verify: Verify

  /// Makes a verification.
  ///
  /// - Parameter verify: Verifies one log.
  public init(_ verify: @escaping Verify) {
    self.verify = verify
  }

  /// Verifies logs.
  ///
  /// - Parameters:
  ///   - paths: The logs, in the order of the results.
  ///   - tell: Receives the result of each log, in that order, as soon as it and all before it are there; called by
  ///     one thread at a time.
  /// - Returns: The results.
  public func run(
    _ paths: [String], tell: @escaping @Sendable (VerifiedLog) -> Void = { _ in }
  ) -> VerifiedSuite {
    let run = LogRun(
      count: paths.count, jobs: jobs, work: { verified(paths[$0]) },
      notRun: { VerifiedLog(log: paths[$0], outcome: .notRun) },
      isLast: { isInterrupted() || ($0.exitCode != 0 && !keepsGoing) }, tell: tell)
    return VerifiedSuite(began: run.began, seconds: run.seconds, logs: run.results)
  }

  private func verified(_ path: String) -> VerifiedLog {
    let clock = ContinuousClock.now
    let (outcome, file) = outcome(of: path)
    var log = VerifiedLog(log: path, outcome: outcome)
    if case .failure(let failure) = outcome { log.failedLine = Self.line(of: failure, in: file) }
    log.seconds = (ContinuousClock.now - clock) / .seconds(1)
    log.mayBeEmpty = allowsEmpty
    log.isStrict = isStrict
    return log
  }

  /// The line of the step at which an app failed; nil if it is unknown or can no longer be read.
  private static func line(of failure: ReplayFailure, in log: LogFile?) -> Int? {
    guard let step = failure.step, let log else { return nil }
    do {
      try log.waitForIndex()
      return log.position(atOrBefore: step).flatMap { log.lineNumber(at: $0) }
    } catch {
      // The failure is reported all the same, at the first line of the log.
      return nil
    }
  }

  /// Verifies a log; returns the outcome, and the log if it could be opened.
  private func outcome(of path: String) -> (VerifiedLog.Outcome, LogFile?) {
    var log: LogFile?
    do {
      let file = try open(path)
      log = file
      let report = try verify(Timeline(file), options) { _, _ in
        if isInterrupted() { throw ReplayFailure(.cancelled) }
      }
      return (.report(report), log)
    } catch let failure as ReplayFailure {
      return (failure.reason == .cancelled ? .notRun : .failure(failure), log)
    } catch let error as LogError {
      return (.unreadable(error), log)
    } catch let error as CommandError where error.code == .cancelled {
      return (.notRun, log)
    } catch let error as CommandError {
      return (.unreadable(error.opening(path)), log)
    } catch {
      return (.failure(ReplayFailure(.cannotStart(why: "\(error)"))), log)
    }
  }
}

extension CommandError {
  /// Returns the error of a log that cannot be opened, with the next thing to do; its path is named once.
  package func opening(_ path: String) -> LogError {
    let why = [message, advice].compactMap(\.self).joined(separator: "; ")
    let name = "\(path): "
    return LogError(
      path: path,
      reason: .cannotOpen(why: why.hasPrefix(name) ? String(why.dropFirst(name.count)) : why))
  }
}

/// A part of a corpus: the second of eight is `2/8`.
///
/// The logs are sorted by the bytes of their paths, without duplicates, and dealt out in turn. Every machine that
/// uses the same paths gets the same parts, in whatever order it lists them. The parts differ by one log at most.
public struct Shard: Sendable, Equatable {
  /// The number of the part, from 1.
  public let index: Int
  /// The number of parts.
  public let count: Int

  /// Reads a shard such as `2/8`; nil if the text is none.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
      (1...max(1, count)).contains(index), count >= 1
    else { return nil }
    self.index = index
    self.count = count
  }

  /// The paths of this part, sorted.
  public func select(from paths: [String]) -> [String] {
    let sorted = Set(paths.map(BytewiseName.init)).sorted()
    return stride(from: index - 1, to: sorted.count, by: count).map { sorted[$0].text }
  }
}
