import Dispatch
public import FluxLog
public import FluxReplay
import Foundation
import Synchronization

/// Verifies many logs, several at a time.
public struct CorpusVerification: Sendable {
  /// Verifies one log: `Verification` in process, or what a host offers.
  public typealias Verify =
    @Sendable (
      _ log: Timeline, _ options: Verification.Options,
      _ progress: (_ done: Int, _ total: Int) throws -> Void
    ) throws -> ReplayReport

  /// How each log is verified.
  public var options = Verification.Options()
  /// How many logs are verified at a time.
  public var jobs = 1
  /// Whether logs are still begun after one that did not pass.
  public var keepsGoing = false
  /// Whether a log is a success of which no step was compared.
  public var allowsEmpty = false
  /// Asked often: whether to stop.
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
  ///   - tell: Gets the result of each log, in that order, as soon as it and all before it are there; called by
  ///     one thread at a time.
  /// - Returns: The results.
  public func run(
    _ paths: [String], tell: @escaping @Sendable (VerifiedLog) -> Void = { _ in }
  ) -> VerifiedSuite {
    let began = Date()
    let clock = ContinuousClock.now
    let queue = Mutex(LogQueue(paths))
    DispatchQueue.concurrentPerform(iterations: max(1, min(jobs, paths.count))) { _ in
      while let index = queue.withLock({ $0.next() }) {
        let log = verified(paths[index])
        let isLast = isInterrupted() || (log.exitCode != 0 && !keepsGoing)
        queue.withLock { queue in
          if isLast { queue.close() }
          for log in queue.take(log, at: index) { tell(log) }
        }
      }
    }
    let logs = queue.withLock { queue in
      for log in queue.remainder() { tell(log) }
      return queue.results
    }
    return VerifiedSuite(
      began: LogInstant(microseconds: Int64(began.timeIntervalSince1970 * 1e6)),
      seconds: (ContinuousClock.now - clock) / .seconds(1), logs: logs)
  }

  private func verified(_ path: String) -> VerifiedLog {
    let clock = ContinuousClock.now
    let outcome = outcome(of: path)
    var log = VerifiedLog(log: path, outcome: outcome)
    if case .failure(let failure) = outcome { log.failedLine = Self.line(of: failure, in: path) }
    log.seconds = (ContinuousClock.now - clock) / .seconds(1)
    log.mayBeEmpty = allowsEmpty
    return log
  }

  /// The line of the step at which an app failed; nil where that is not known, or not to be read any more.
  private static func line(of failure: ReplayFailure, in path: String) -> Int? {
    guard let step = failure.step else { return nil }
    do {
      let log = try LogFile.open(path)
      try log.waitForIndex()
      return try log.position(atOrBefore: step).flatMap { try log.lineNumber(at: $0) }
    } catch {
      // The failure is told all the same, at the log's first line.
      return nil
    }
  }

  private func outcome(of path: String) -> VerifiedLog.Outcome {
    do {
      let timeline = Timeline(try LogFile.open(path))
      return .report(
        try verify(timeline, options) { _, _ in
          if isInterrupted() { throw ReplayFailure(.cancelled) }
        })
    } catch let failure as ReplayFailure {
      return .failure(failure)
    } catch let error as LogError {
      return .unreadable(error)
    } catch {
      return .failure(ReplayFailure(.cannotStart(why: "\(error)")))
    }
  }
}

/// Logs that are to be verified, and their results in order.
private struct LogQueue {
  private let paths: [String]
  private var begun = 0
  private var isClosed = false
  private var finished: [Int: VerifiedLog] = [:]
  private(set) var results: [VerifiedLog] = []

  init(_ paths: [String]) {
    self.paths = paths
  }

  /// The next log to begin; nil where there is none.
  mutating func next() -> Int? {
    guard !isClosed, begun < paths.count else { return nil }
    defer { begun += 1 }
    return begun
  }

  /// Begins no more.
  mutating func close() { isClosed = true }

  /// Takes in a result; returns those whose turn it is now.
  mutating func take(_ log: VerifiedLog, at index: Int) -> [VerifiedLog] {
    finished[index] = log
    var ready: [VerifiedLog] = []
    while let log = finished.removeValue(forKey: results.count) {
      results.append(log)
      ready.append(log)
    }
    return ready
  }

  /// The logs that were never begun, taken in as such.
  mutating func remainder() -> [VerifiedLog] {
    let rest = paths[results.count...].map { VerifiedLog(log: $0, outcome: .notRun) }
    results += rest
    return rest
  }
}
