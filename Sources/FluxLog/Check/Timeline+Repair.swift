#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Timeline {
  /// Writes a copy of the log without its damage.
  ///
  /// Every usable step, mark, gap and unknown line is kept byte for byte; numbers that are missing
  /// become gaps with why `damaged`, after which a store is unknown until it is written whole; the
  /// end line counts the steps that are left, and has `ok` false where the log had no end.
  /// Steps whose time or cause is wrong are usable.
  ///
  /// - Parameters:
  ///   - path: The copy, which must not be there yet.
  ///   - progress: Called now and then, as in ``check(progress:)``; what it throws ends the repair.
  /// - Returns: What was kept and what was lost.
  /// - Throws: ``LogError`` where the log cannot be read, the copy is there already or cannot be
  ///   written; then there is no copy. What `progress` throws.
  public func repair(
    to path: String, progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> RepairReport {
    try repair(to: path, appending: RebuiltSteps(), progress: progress)
  }

  /// Writes a copy of the log without its damage, and with steps that were rebuilt.
  ///
  /// As ``repair(to:progress:)`` does; the steps come before the end.
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
        try report.settle(path, firstRebuilt: rebuilt.steps.first?.number)
      }
      return report
    } catch {
      unsafe unlink(path)
      throw error
    }
  }

  /// Writes a copy without the lines that findings say are lost.
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
