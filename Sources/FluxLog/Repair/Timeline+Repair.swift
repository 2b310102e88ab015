import FluxSystem

extension Timeline {
  /// Writes a copy of the log without its damage.
  ///
  /// Keeps every usable step, mark, gap and unknown line byte for byte. Missing numbers become gaps
  /// with `why` `damaged`, after which a store is unknown until it is written whole. The end line
  /// counts the remaining steps; its `ok` is `false` if the log had no end line. Steps with a wrong
  /// time or cause are usable.
  ///
  /// - Parameters:
  ///   - path: The path of the copy, where no file may exist.
  ///   - progress: Called from time to time, as in ``check(progress:)``. An error ends the repair.
  /// - Returns: What was kept and what was lost.
  /// - Throws: ``LogError`` if the log cannot be read, or if the copy exists or cannot be written;
  ///   then there is no copy. Any error of `progress`.
  public func repair(
    to path: String, progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> RepairReport {
    try repair(to: path, appending: RebuiltSteps(), progress: progress)
  }

  /// Writes a copy of the log without its damage, and appends rebuilt steps before the end line.
  ///
  /// Otherwise like ``repair(to:progress:)``.
  package func repair(
    to path: String, appending rebuilt: RebuiltSteps,
    progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> RepairReport {
    let findings = try check(progress: progress)
    let copy = try OpenFile(creating: path)
    do {
      var report = try writeRepaired(findings, rebuilt, to: copy)
      try copy.synchronize()
      if report.droppedLines > 0 {
        try report.dropDependentSteps(of: path, firstRebuilt: rebuilt.steps.first?.number)
      }
      return report
    } catch {
      unsafe unlink(path)
      throw error
    }
  }

  /// Writes a copy without the lines that the findings report as lost.
  func writeRepaired(
    _ findings: [Finding], _ rebuilt: RebuiltSteps, to copy: OpenFile
  ) throws(LogError) -> RepairReport {
    var plan = RepairPlan(first: log.header.first, findings: findings)
    var output = LineBuffer()
    output.append(line: log.headerText[...])
    var lines = LineReader(log.file, longestLine: log.longestLine)
    _ = try lines.next()
    while let line = try lines.next() {
      plan.take(line, line: lines.number, to: &output)
      if output.bytes.count > 1 << 20 { try copy.write(&output) }
    }
    do throws(EncodingFailure) {
      try plan.append(rebuilt, of: log.header, to: &output)
    } catch {
      let step = rebuilt.steps.first?.number ?? 0
      let reason = LogError.Reason.cannotEncode(step: step, store: error.store, why: error.why)
      throw LogError(path: copy.path, reason: reason)
    }
    plan.finish(to: &output)
    try copy.write(&output)
    return plan.report
  }
}

extension OpenFile {
  fileprivate func write(_ lines: inout LineBuffer) throws(LogError) {
    let bytes = lines.bytes
    if let failure = withoutFileSizeSignal({ append(bytes).failure }) { throw failure }
    lines.removeAll()
  }
}
