import FluxLog

/// Finds the steps that results name, and their causes, in the segments of a recording.
struct RuleEvidence {
  private let logs: [LogFile]

  init(_ logs: [LogFile]) { self.logs = logs }

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

extension LogFile {
  fileprivate func has(_ number: UInt64) -> Bool {
    position(atOrBefore: number).flatMap { self.number(at: $0) } == number
  }
}
