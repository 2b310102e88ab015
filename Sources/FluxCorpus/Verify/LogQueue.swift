/// The logs to check, and their results in order.
struct LogQueue<Result: Sendable>: Sendable {
  /// Makes the result of each log that never began.
  private let notRun: [@Sendable () -> Result]
  private var begun = 0
  private var isClosed = false
  private var finished: [Int: Result] = [:]
  private(set) var results: [Result] = []

  init(_ notRun: [@Sendable () -> Result]) {
    self.notRun = notRun
  }

  /// The next log to begin; nil if there is none.
  mutating func next() -> Int? {
    guard !isClosed, begun < notRun.count else { return nil }
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
    let rest = notRun[results.count...].map { $0() }
    results += rest
    return rest
  }
}
