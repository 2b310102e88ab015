import FluxJSON

/// Decides line by line what a repaired log contains.
///
/// Pure: it does no I/O. Lines that are kept stay byte for byte. Lines that are lost before a step or the end become a gap.
/// A step with a wrong time or cause is usable and stays.
struct RepairPlan {
  /// The largest number that readers accept.
  private static let largestNumber = UInt64(Int64.max)

  private(set) var report: RepairReport
  /// The numbers of the lines that cannot be used.
  private let lost: Set<Int>
  private var expected: UInt64
  /// The number of a last line that was not written to its end.
  private let torn: Int?
  /// `true` if lines were lost since the last step or gap.
  private var hasLost = false
  /// The largest step number that a lost line may have had.
  private var lastLost: UInt64?
  /// The end line, and its content.
  private var end: (line: JSON, content: LogEnd)?
  /// The number after the last step that is known to be missing at the end.
  private let nextAfterEnd: UInt64

  /// Prepares a repair of a log with these findings.
  ///
  /// `nextAfterEnd` is at most the number of the next step if no step is missing at the end.
  init(first: UInt64, findings: [Finding], nextAfterEnd: UInt64 = 0) {
    self.nextAfterEnd = nextAfterEnd
    expected = first
    report = RepairReport(findings: findings)
    lost = Set(findings.filter(\.losesLine).map(\.line))
    torn = findings.first { $0.problem == .torn }?.line
    lastLost = findings.filter { $0.losesLine && $0.problem != .torn }.compactMap(\.step).max()
  }

  mutating func append(_ text: [UInt8], line: Int, to output: inout LineBuffer) {
    guard !text.isBlankLine else { return }
    guard !lost.contains(line), let (json, content) = parsed(text.lineContent) else {
      return drop(line)
    }
    switch content {
    case .step(let step):
      guard step.number >= expected else { return drop(line) }
      close(before: step.number, to: &output)
      expected = step.number + 1
      report.steps += 1
    case .gap(let gap):
      guard gap.from >= expected, gap.isInOrder else { return drop(line) }
      // The last of several gaps in one place decides.
      if gap.from > expected { close(before: gap.from, to: &output) }
      expected = gap.through &+ 1
      hasLost = false
    case .end(let end):
      // The number of steps may change, so the line is written again at the end.
      self.end = (json, end)
      return
    case .header:
      return drop(line)
    case .mark, .unknown:
      break
    }
    output.append(line: text)
  }

  private mutating func drop(_ line: Int) {
    report.droppedLines += 1
    if line != torn { hasLost = true }
  }

  /// Appends rebuilt steps, as long as their numbers are consecutive.
  mutating func append(
    _ rebuilt: RebuiltSteps, of header: LogHeader, to output: inout LineBuffer
  ) throws(EncodingFailure) {
    report.notes += rebuilt.notes
    guard let first = rebuilt.steps.first else { return }
    var header = header
    header.first = first.number
    header.stores = rebuilt.states.ordered.map { store in
      LogHeader.Store(name: store.key, initial: store.value)
    }
    var composer = LineComposer(header, writesWholeStates: false)
    if rebuilt.followsGap { composer.expectWholeModel() }
    composer.leaveOut(rebuilt.unwritten)
    for step in rebuilt.steps {
      guard step.number == expected else {
        report.notes.append(
          "step \(step.number) and later steps were not rebuilt: step \(expected) is missing")
        return
      }
      try composer.append(step, to: &output)
      report.rebuiltSteps += 1
      expected += 1
    }
  }

  /// Appends the end of the log.
  ///
  /// If the log was not closed, it is unknown what its recorder would have written, so `ok` is
  /// `false`. It is as well if steps are missing at the end.
  mutating func finish(to output: inout LineBuffer) {
    let next = min(max(nextAfterEnd, lastLost.map { $0 &+ 1 } ?? 0), Self.largestNumber + 1)
    let missing = next > expected ? next - expected : 0
    close(before: max(next, expected), to: &output)
    if missing > 0 {
      report.notes.append(
        missing == 1
          ? "1 step is missing at the end of the log: step \(expected)"
          : "\(missing) steps are missing at the end of the log: \(expected) to \(next - 1)")
    }
    let steps = UInt64(report.steps + report.rebuiltSteps)
    var closing = end?.content ?? LogEnd(steps: steps, isComplete: false)
    closing.steps = steps
    closing.isComplete = missing == 0 && closing.isComplete
    output.line(of: closing, LogEnd.fields, over: end?.line)
  }

  /// Writes a gap for the steps that are missing before a number.
  ///
  /// It is empty if no number is missing: the lost lines may have been those of a gap, after which the states are others.
  private mutating func close(before number: UInt64, to output: inout LineBuffer) {
    guard number > expected || hasLost else { return }
    hasLost = false
    // No line can be about steps behind the largest number, and none is.
    guard expected <= Self.largestNumber else { return }
    let gap = LogGap(from: expected, through: number &- 1, why: .damaged)
    gap.write(to: &output)
    report.gaps.append(gap)
  }

  /// Returns `nil` if the line was damaged after it was checked.
  private func parsed(_ text: [UInt8]) -> (JSON, LogLine)? {
    do throws(LineFault) {
      let json = try JSON(line: text)
      return (json, try LogLine(json))
    } catch {
      return nil
    }
  }
}

extension Finding {
  /// `true` if the line of the finding cannot be kept.
  var losesLine: Bool {
    // The finding of missing steps names the line after them, which is sound.
    if case .missingSteps = problem { return false }
    if case .stepCountDiffers = problem { return false }
    return problem.severity == .lost || problem == .torn
  }
}
