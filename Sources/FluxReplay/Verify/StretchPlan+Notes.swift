import FluxLog

extension StretchPlan {
  /// The damage that keeps steps of a range from being replayed.
  func damage(in log: LogFile, _ range: Range<Int>) throws(LogError) -> [Finding] {
    let lost = log.findings.filter { $0.problem.severity == .lost }
    guard !lost.isEmpty else { return [] }
    let first = try damagedFrom.map { (position) throws(LogError) in
      try log.lineNumber(at: position) ?? .max
    }
    // What follows the last step of the log matters to nobody who asked for earlier steps.
    let end =
      range.upperBound < log.count ? try log.lineNumber(at: range.upperBound) ?? .max : .max
    guard let first else {
      let last = range.isEmpty ? 0 : try log.lineNumber(at: range.upperBound - 1) ?? 0
      return lost.filter { $0.line > last && $0.line < end }
    }
    // The last one before the step is what hides it; those before it were passed over.
    return lost.last { $0.line < first }.map { [$0] } ?? []
  }

  /// What is worth knowing of steps that cannot be compared.
  func notes(on log: LogFile, _ range: Range<Int>) throws(LogError) -> [String] {
    var notes: [String] = []
    for found in log.gaps
    where found.position >= range.lowerBound && found.position < range.upperBound {
      let gap = found.gap
      let accepted = try log.firstPosition(in: found.position..<range.upperBound) { !$0.isRejected }
      let resumes = accepted.flatMap { log.number(at: $0) }
      notes.append(
        "steps \(gap.from) to \(gap.through) are not in the log (\(gap.why)); "
          + (resumes.map { "replay resumes after step \($0)" }
            ?? "nothing after them is replayed"))
    }
    for finding in log.findings where finding.problem.severity == .suspect {
      notes.append("\(finding)")
    }
    if log.header.seed == nil {
      notes.append("the log has no seed, so random numbers differ from the recorded ones")
    }
    return notes
  }
}
