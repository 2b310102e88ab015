package import FluxJSON

/// The result of a repair.
public struct RepairReport: Sendable, Equatable {
  /// The findings that the repair started from.
  public let findings: [Finding]
  /// The number of steps that were kept.
  public internal(set) var steps = 0
  /// The number of lines that were dropped.
  public internal(set) var droppedLines = 0
  /// The gaps that replace lost lines.
  public internal(set) var gaps: [LogGap] = []
  /// The number of steps that were rebuilt from actions in flight, in addition to the steps that
  /// were kept.
  public internal(set) var rebuiltSteps = 0
  /// Everything else that the repaired log lacks, and why.
  public internal(set) var notes: [String] = []
}

/// Steps whose lines were never written, rebuilt by a replay of their actions.
package struct RebuiltSteps: Sendable {
  /// The states after the last step of the log, in which the first of these steps starts.
  package var states: StoreDictionary<JSON>
  /// `true` if a gap is right before the first of these steps, so the first accepted one has the whole model.
  package var followsGap = false
  /// The stores whose states after the last step are not in the log.
  package var unwritten: [String] = []
  /// The steps, in order.
  package var steps: [StepRecord]
  /// The reasons why other steps could not be rebuilt.
  package var notes: [String]

  package init(states: StoreDictionary<JSON> = [:], steps: [StepRecord] = [], notes: [String] = [])
  {
    self.states = states
    self.steps = steps
    self.notes = notes
  }
}

extension Timeline {
  /// Writes a copy of the log without its damage.
  ///
  /// Keeps every usable step, mark, gap and unknown line byte for byte. Lost lines become gaps with `why` `damaged`, after
  /// which a store is unknown until it is written whole; a gap is empty if no step number is missing. The end line
  /// counts the remaining steps; its `ok` is `false` if the log had no end line, or if steps are missing before it. Steps
  /// with a wrong time or cause are usable.
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
    let copy = try ReplacementFile(new: path, from: log.file)
    let report = try writeRepaired(findings, rebuilt, to: copy)
    try copy.commit()
    return report
  }

  /// Writes a copy without the lines that the findings report as lost.
  func writeRepaired(
    _ findings: [Finding], _ rebuilt: RebuiltSteps, to copy: ReplacementFile
  ) throws(LogError) -> RepairReport {
    let (missing, next) = log.missingAtEnd
    let (after, isUnknown) = next.addingReportingOverflow(missing)
    var plan = RepairPlan(
      first: log.header.first, findings: findings, nextAfterEnd: isUnknown ? next : after)
    var output = LineBuffer()
    output.append(line: log.headerText)
    var lines = LineReader(log.file, longestLine: log.longestLine)
    _ = try lines.next()
    while let line = try lines.next() {
      plan.append(line, line: lines.number, to: &output)
      if output.bytes.count > 1 << 20 { try copy.write(&output) }
    }
    do throws(EncodingFailure) {
      try plan.append(rebuilt, of: log.header, to: &output)
    } catch {
      throw error.ofStep(rebuilt.steps.first?.number ?? 0, in: copy.destination)
    }
    plan.finish(to: &output)
    try copy.write(&output)
    return plan.report
  }
}
