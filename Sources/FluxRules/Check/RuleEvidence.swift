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
      guard let step = results[place].step.flatMap(UInt64.init(exactly:)) else { continue }
      try add(step, to: &results[place])
    }
  }

  private func add(_ number: UInt64, to result: inout RuleResult) throws(LogError) {
    guard seekers.isEmpty else { return try seek(number, for: &result) }
    var next = number
    while let log = logs.last(where: { $0.has(next) }),
      let position = log.position(atOrBefore: next)
    {
      let step = try log.step(at: position)
      if result.chain.isEmpty {
        result.segment = log.path
        result.line = try log.lineNumber(at: position)
      }
      result.chain.append(RuleResult.Link(number: step.number, type: step.type))
      // A cause that is not earlier is damage, and could form a cycle.
      guard let cause = step.cause, cause < step.number else { return }
      next = cause
    }
  }
}

extension RuleEvidence {
  private func seek(_ number: UInt64, for result: inout RuleResult) throws(LogError) {
    var next = number
    while let (step, seeker, start) = try sought(next) {
      if result.chain.isEmpty {
        result.segment = seeker.path
        result.line = try seeker.lineNumber(at: start)
      }
      result.chain.append(RuleResult.Link(number: step.number, type: step.type))
      guard let cause = step.cause, cause < step.number else { return }
      next = cause
    }
  }

  private func sought(
    _ number: UInt64
  ) throws(LogError) -> (step: LogStep, seeker: StepSeeker, start: Int)? {
    for seeker in seekers.reversed() where seeker.first <= number {
      if let (step, start) = try seeker.step(number) { return (step, seeker, start) }
    }
    return nil
  }
}

extension LogFile {
  fileprivate func has(_ number: UInt64) -> Bool {
    position(atOrBefore: number).flatMap { self.number(at: $0) } == number
  }
}
