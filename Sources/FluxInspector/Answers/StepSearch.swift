import FluxLog

/// Looks for the steps that a filter is met by, some at a time, so that the first ones can be shown
/// before the last ones are found.
struct StepSearch: Sendable {
  /// So many are found at once at most: enough to forget what each search costs to begin.
  private static let largestBatch = 1024

  private let session: Session
  private let filter: StepFilter
  private let start: Int
  /// Nil for the end of the log, which may still be indexed.
  private let end: Int?
  private var next: Int
  /// The first step found is worth having alone.
  private var batchSize = 1
  /// How many steps could not be judged so far, as a state that decides is not known there.
  private(set) var unknownSteps = 0

  /// Begins a search of a range; of the whole log where that is nil.
  init(_ filter: StepFilter, in range: Range<Int>?, of session: Session) {
    self.filter = filter
    self.session = session
    start = range?.lowerBound ?? 0
    end = range?.upperBound
    next = start
  }

  /// The positions of the next steps; none at the end.
  mutating func nextBatch() throws -> [Int] {
    while true {
      let limit = end ?? session.log.count
      if next < limit {
        let found = try find(before: limit)
        if !found.isEmpty { return found }
      }
      guard end == nil, try session.waitForIndex(beyond: limit) else { return [] }
    }
  }

  private mutating func find(before limit: Int) throws -> [Int] {
    let report = session.reporting("searching")
    let result = try session.timeline.find(filter, in: next..<limit, limit: batchSize) {
      [start, next] done, _ in try report(next - start + done, limit - start)
    }
    unknownSteps += result.unknownSteps
    next = result.positions.count == batchSize ? (result.positions.last ?? limit) + 1 : limit
    batchSize = min(2 * batchSize, Self.largestBatch)
    return result.positions
  }
}
