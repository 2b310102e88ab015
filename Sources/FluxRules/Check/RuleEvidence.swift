import FluxLog

/// Finds the steps that results name, and their causes, in the segments of a recording.
///
/// A log without damage is not indexed for it: its steps are found by halving the file.
struct RuleEvidence {
  private let logs: [LogFile]
  private let seekers: [StepSeeker]

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - logs: Opens the segments, if they have to be indexed.
  ///   - seekers: The segments in order; empty if they are damaged.
  init(_ logs: [LogFile], _ seekers: [StepSeeker] = []) {
    (self.logs, self.seekers) = (logs, seekers)
  }

  /// Adds the segment, the line and the chain of causes to results that have a step.
  ///
  /// - Throws: `LogError` if a segment cannot be read.
  func add(to results: inout [RuleResult]) throws(LogError) {
    for log in logs { try log.waitForIndex() }
    for place in results.indices {
      var next = results[place].step.flatMap(UInt64.init(exactly:))
      while let number = next, let (step, segment, line) = try find(number) {
        if results[place].chain.isEmpty {
          (results[place].segment, results[place].line) = (segment, try line())
        }
        results[place].chain.append(RuleResult.Link(number: step.number, type: step.type))
        // A cause that is not earlier is damage, and could form a cycle.
        next = step.cause.flatMap { $0 < step.number ? $0 : nil }
      }
    }
  }

  private typealias Found = (step: LogStep, segment: String, line: () throws(LogError) -> Int?)

  private func find(_ number: UInt64) throws(LogError) -> Found? {
    for seeker in seekers.reversed() where seeker.first <= number {
      guard let (step, start) = try seeker.step(number) else { continue }
      return (step, seeker.path, { () throws(LogError) in try seeker.lineNumber(at: start) })
    }
    guard let log = logs.last(where: { $0.has(number) }),
      let position = log.position(atOrBefore: number)
    else { return nil }
    return (
      try log.step(at: position), log.path,
      { log.lineNumber(at: position) }
    )
  }
}

extension LogFile {
  fileprivate func has(_ number: UInt64) -> Bool {
    position(atOrBefore: number).flatMap { self.number(at: $0) } == number
  }
}
