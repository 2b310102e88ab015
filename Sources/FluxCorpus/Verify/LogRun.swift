import Dispatch
import FluxLog
import FluxSystem
import Foundation

/// A run over many logs, several at a time.
struct LogRun<Result: Sendable>: Sendable {
  /// The start of the run.
  let began: LogInstant
  /// The duration in seconds.
  let seconds: Double
  /// The results, in the order of the logs.
  let results: [Result]

  /// Works on logs until a result is the last, and waits for all that began.
  ///
  /// `tell` receives each result, in the order of the logs, as soon as it and all before it are there. It is called by one
  /// thread at a time.
  init(
    count: Int, jobs: Int, work: @escaping @Sendable (_ index: Int) -> Result,
    notRun: @escaping @Sendable (_ index: Int) -> Result,
    isLast: @escaping @Sendable (Result) -> Bool, tell: @escaping @Sendable (Result) -> Void
  ) {
    let start = Date()
    let clock = ContinuousClock.now
    // A monitor, because the Thread Sanitizer does not see the locking of Linux's `Mutex`.
    let queue = Monitor(LogQueue(count: count, notRun: notRun))
    Self.perform(jobs: min(jobs, count)) {
      while let index = queue.withLock({ $0.next() }) {
        let result = work(index)
        let isLast = isLast(result)
        queue.withLock { queue in
          if isLast { queue.close() }
          for result in queue.take(result, at: index) { tell(result) }
        }
      }
    }
    results = queue.withLock { queue in
      for result in queue.remainder() { tell(result) }
      return queue.results
    }
    began = LogInstant(microseconds: Int64(start.timeIntervalSince1970 * 1e6))
    seconds = (ContinuousClock.now - clock) / .seconds(1)
  }

  /// Runs `body` on a number of threads, of which this one is the first, and waits for all.
  ///
  /// A verification waits for apps most of the time, so there may be more threads than processor cores. A dispatch queue
  /// would never start more.
  private static func perform(jobs: Int, _ body: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for _ in 1..<max(1, jobs) {
      group.enter()
      do throws(SystemError) {
        // A value may nest 512 levels deep.
        try startThread(named: "flux.corpus.job", stackSize: 8 << 20) {
          body()
          group.leave()
        }
      } catch {
        // The system has no more threads for this user. Those that run take all logs.
        group.leave()
      }
    }
    body()
    group.wait()
  }
}

extension [Int32] {
  /// The exit code of a run, from those of its logs: the largest one if the run keeps going, else the first that is not
  /// 0; without logs 5, or 0 if a run may be empty.
  package func exitCode(keepsGoing: Bool, allowsEmpty: Bool) -> Int32 {
    guard !isEmpty else { return allowsEmpty ? 0 : 5 }
    return (keepsGoing ? self.max() : first { $0 != 0 }) ?? 0
  }
}

extension Double {
  /// Seconds, with at most three decimals.
  var roundedToMilliseconds: Double { (self * 1000).rounded() / 1000 }
}

/// The logs to check, and their results in order.
private struct LogQueue<Result: Sendable>: Sendable {
  let count: Int
  /// Makes the result of a log that never began.
  let notRun: @Sendable (_ index: Int) -> Result
  private var begun = 0
  private var isClosed = false
  private var finished: [Int: Result] = [:]
  private(set) var results: [Result] = []

  init(count: Int, notRun: @escaping @Sendable (_ index: Int) -> Result) {
    (self.count, self.notRun) = (count, notRun)
  }

  /// The next log to begin; nil if there is none.
  mutating func next() -> Int? {
    guard !isClosed, begun < count else { return nil }
    defer { begun += 1 }
    return begun
  }

  /// Begins no further logs.
  mutating func close() { isClosed = true }

  /// Adds a result; returns the results whose turn it is now.
  mutating func take(_ result: Result, at index: Int) -> [Result] {
    finished[index] = result
    var ready: [Result] = []
    while let result = finished.removeValue(forKey: results.count) {
      results.append(result)
      ready.append(result)
    }
    return ready
  }

  /// Adds and returns a result for each log that never began.
  mutating func remainder() -> [Result] {
    let rest = (results.count..<count).map(notRun)
    results += rest
    return rest
  }
}
