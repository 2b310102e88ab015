import FluxLog

/// Finds the steps that results name, and their causes, in the segments of a recording.
struct RuleEvidence {
  /// The segments in order, with complete indices.
  let logs: [LogFile]

  /// Adds the segment, the line and the chain of causes to results that have a step.
  ///
  /// - Throws: `LogError` if a segment cannot be read.
  func add(to results: inout [RuleResult]) throws(LogError) {
    for place in results.indices {
      var next = results[place].step.flatMap(UInt64.init(exactly:))
      while let number = next, let log = logs.last(where: { $0.has(number) }),
        let position = log.position(atOrBefore: number)
      {
        let step = try log.step(at: position)
        if results[place].chain.isEmpty {
          (results[place].segment, results[place].line) = (log.path, log.lineNumber(at: position))
        }
        results[place].chain.append(RuleResult.Link(number: step.number, type: step.type))
        // A cause that is not earlier is damage, and could form a cycle.
        next = step.cause.flatMap { $0 < step.number ? $0 : nil }
      }
    }
  }
}

extension LogFile {
  fileprivate func has(_ number: UInt64) -> Bool {
    position(atOrBefore: number).flatMap { self.number(at: $0) } == number
  }
}
