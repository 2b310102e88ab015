import FluxJSON
import FluxReplay

/// A request that waits for its answer.
struct Exchange {
  /// The limit in seconds without progress; nil for none.
  private let limit: Double?
  /// The end of the current limit; nil if there is none.
  private(set) var deadline: ContinuousClock.Instant?
  /// The last reported step.
  private var step: UInt64?
  /// The number of steps that the request runs and the app has not reported.
  private var unreported: Int
  private(set) var isCancelled = false
  /// The reports that the thread of the request has not seen.
  var reports: [RequestProgress] = []
  var answer: (result: Result<JSON, AppConnection.Failure>, byteCount: Int)?

  /// `true` if its thread has something to do.
  var isNews: Bool { answer != nil || !reports.isEmpty }

  init(limit: Double?, steps: Int) {
    self.limit = limit
    unreported = steps
    restart()
  }

  /// Notes a report, and restarts the limit, unless the report is none of a further step.
  mutating func note(_ progress: RequestProgress) {
    guard unreported > 0, step.map({ progress.step > $0 }) ?? true else { return }
    step = progress.step
    unreported -= 1
    reports.append(progress)
    restart()
  }

  private mutating func restart() {
    // A limit of decades counts as none, and would overflow a duration.
    guard !isCancelled else { return }
    deadline = limit.flatMap { $0 < 1e9 ? ContinuousClock.now + .seconds(max($0, 0)) : nil }
  }

  /// Gives the app `grace` to answer a request that is cancelled.
  mutating func cancel(after grace: Duration) {
    isCancelled = true
    deadline = ContinuousClock.now + grace
  }
}
