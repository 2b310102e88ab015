import FluxJSON

/// Checks that each line of a log fits the lines before it.
///
/// Pure: it knows neither the file nor the index, and a copy of it is a state to return to. See
/// docs/log-format.md, "Damage".
struct SequenceChecker: Sendable {
  /// The findings in the order in which they were made, without the one about lines without a sum.
  private var lineFindings: [Finding] = []
  /// The finding about lines without a sum, which later lines change and may take back.
  private var sumFinding: Finding?
  /// The indices of the findings about lost lines, which are in the order of the lines.
  private var lost: [Int] = []
  var gaps: [RecordedGap] = []
  var marks: [RecordedMark] = []
  var breaks: [LogBreak] = []
  var runs: [NumberRun] = []
  var end: LogEnd?
  private(set) var isTorn = false
  var unknownLines = 0
  var position = 0
  private(set) var expected: UInt64
  var sums = LineSums()

  var lastTime: UInt64 = 0
  /// The number of lines lost since the last step or gap, each of which may have been a step.
  private var lostLines: UInt64 { UInt64(lostSteps.count) }
  /// The indices of the findings about those lines.
  private var lostSteps: [Int] = []
  /// `true` if a line lost since the last step or gap may have been a gap, of any length.
  private var hasLostGap = false
  /// The number of lost steps before the last step or gap that no gap covers; at least those whose lines are in the file.
  private var lostBefore: UInt64 = 0
  /// The number of steps after the end line that are none of those before it.
  private var stepsAfterEnd: UInt64 = 0
  /// `true` after a header behind the end line: the lines from there on are those of another log.
  private var isInOtherLog = false
  /// The number of steps that findings report as lost, duplicated or missing.
  private var accountedFor: UInt64 = 0

  /// The bytes of the texts and states in the marks and gaps.
  private var contentByteCount = 0

  init(first: UInt64) {
    expected = first
  }

  var listByteCount: Int {
    contentByteCount + lineFindings.count * MemoryLayout<Finding>.stride
      + marks.count * MemoryLayout<RecordedMark>.stride
      + gaps.count * MemoryLayout<RecordedGap>.stride
      + breaks.count * MemoryLayout<LogBreak>.stride + runs.count * MemoryLayout<NumberRun>.stride
      + (lost.count + lostSteps.count) * MemoryLayout<Int>.stride
  }

  /// The findings, in the order of the lines.
  var findings: [Finding] {
    guard let sumFinding else { return lineFindings }
    let place = lineFindings.firstIndex { $0.line > sumFinding.line } ?? lineFindings.endIndex
    return lineFindings[..<place] + [sumFinding] + lineFindings[place...]
  }

  /// `true` if a line was lost.
  var hasLostLines: Bool { !lost.isEmpty }

  /// Returns the findings about lost lines in a range of lines.
  func lostLines(in lines: ClosedRange<Int>) -> [Finding] {
    let first = lost.partitioningIndex { lineFindings[$0].line >= lines.lowerBound }
    return lost[first...].prefix { lineFindings[$0].line <= lines.upperBound }
      .map { lineFindings[$0] }
  }

  /// Checks a line or a run of step lines; returns how many steps at the start of the run are
  /// unusable.
  mutating func take(_ content: ScanEvent.Content, line: Int) -> Int {
    switch content {
    case .steps(let run): return take(run, line: line)
    case .lost(let fault, let kind): take(fault, kind, line: line)
    case .remark(let fault, let step):
      add(Finding(problem: fault.problem, line: line, step: step, byte: fault.byte))
    case .header:
      isInOtherLog = end != nil
      lose(.secondHeader, line: line)
    case _ where end != nil: lose(.afterEnd, line: line)
    case .mark(let mark):
      marks.append(RecordedMark(mark: mark, position: position, line: line))
      contentByteCount += mark.text.utf8.count
    case .gap(let gap): take(gap, line: line)
    case .end(let end): take(end, line: line)
    case .unknown: unknownLines += 1
    }
    return 0
  }

  mutating func add(_ finding: Finding) {
    if finding.problem.severity == .lost { lost.append(lineFindings.count) }
    lineFindings.append(finding)
  }

  /// Takes the sums of lines, of which the first has this number.
  ///
  /// A line without a sum among others with one was edited or added. A log by hand has no sums, not in its header either;
  /// the lines that a repair adds to it have one.
  mutating func take(_ sums: LineSums, from line: Int) {
    self.sums.add(sums, from: line)
    guard self.sums.hasSum, let first = self.sums.firstMissing else { return }
    let isByHand = first == 1 && self.sums.missing > 1
    sumFinding =
      isByHand ? nil : Finding(problem: .missingSum(lines: self.sums.missing), line: first)
  }

  // MARK: Steps

  private mutating func take(_ run: StepRun, line: Int) -> Int {
    let doubled = min(UInt64(run.count), expected > run.number ? expected - run.number : 0)
    guard end == nil else { return takeAfterEnd(run, doubled, line: line) }
    for index in 0..<doubled {
      let number = run.number + index
      lose(.outOfSequence(found: number, expected: expected), line: line + Int(index), step: number)
    }
    guard doubled < run.count else { return run.count }
    let number = run.number + doubled
    checkMissing(before: number, line: line + Int(doubled))
    // The time of a step behind copies of earlier ones is not known, and is not before theirs.
    if doubled == 0 { checkTime(run, line: line) }
    lastTime = run.lastTime
    noteNumber(number)
    let count = run.count - Int(doubled)
    position += count
    forgetLostLines(missing: number - expected)
    expected = number + UInt64(count)
    return Int(doubled)
  }

  /// Takes steps after the end line, some of which are copies of steps before it.
  @inline(never)
  private mutating func takeAfterEnd(_ run: StepRun, _ doubled: UInt64, line: Int) -> Int {
    if !isInOtherLog { stepsAfterEnd += UInt64(run.count) - doubled }
    for index in 0..<run.count {
      let number = isInOtherLog ? nil : run.number + UInt64(index)
      lose(.afterEnd, line: line + index, step: number)
    }
    return run.count
  }

  private mutating func checkMissing(before number: UInt64, line: Int) {
    let missing = number - expected
    guard missing > lostLines, !hasLostGap else { return }
    accountedFor = accountedFor.addingClamped(missing - lostLines)
    let problem = LineProblem.missingSteps(from: expected + lostLines, through: number - 1)
    add(Finding(problem: problem, line: line, step: number))
    noteBreak(.damage)
  }

  private mutating func checkTime(_ run: StepRun, line: Int) {
    guard run.firstTime < lastTime else { return }
    let problem = LineProblem.timeDecreases(
      found: LogTime(microseconds: run.firstTime), previous: LogTime(microseconds: lastTime))
    add(Finding(problem: problem, line: line, step: run.number))
  }

  private mutating func noteNumber(_ number: UInt64) {
    if let last = runs.last, last.number + UInt64(position - last.position) == number { return }
    runs.append(NumberRun(position: position, number: number))
  }

  // MARK: Other lines

  private mutating func take(_ gap: LogGap, line: Int) {
    let fits =
      gap.from >= expected && (hasLostGap || gap.from <= expected + lostLines) && gap.isInOrder
    if !fits {
      let problem = LineProblem.gapDoesNotFit(
        from: gap.from, through: gap.through, expected: expected)
      lose(problem, line: line)
      accountedFor = accountedFor.addingClamped(gap.from > expected ? gap.from - expected : 0)
    } else {
      gaps.append(RecordedGap(gap: gap, position: position, line: line))
      if case .states(let states) = gap.model { contentByteCount += states.byteCount }
      noteBreak(kindOfBreak(after: gap), hidesStatesOnly: gap.why == .imported && gap.isEmpty)
    }
    forgetLostLines(missing: gap.from > expected ? gap.from - expected : 0)
    expected = max(expected, gap.through &+ 1)
  }

  private func kindOfBreak(after gap: LogGap) -> LogBreak.Kind {
    // The lines after such a gap are as they were found, so the next step is not written whole.
    if gap.why.hidesModel { return gap.why == .imported ? .imported : .damage }
    switch gap.model {
    case nil: return .gap
    case .states: return .restored
    // A repair may have removed the step.
    case .step(let number): return number == 0 || hasStep(number) ? .restored : .gap
    }
  }

  private func hasStep(_ number: UInt64) -> Bool {
    let next = runs.partitioningIndex { $0.number > number }
    guard next > 0 else { return false }
    let end = next < runs.count ? runs[next].position : position
    return number - runs[next - 1].number < UInt64(end - runs[next - 1].position)
  }

  private mutating func take(_ end: LogEnd, line: Int) {
    self.end = end
    let found = UInt64(position)
    let difference = end.steps > found ? end.steps - found : found - end.steps
    if difference > accountedFor {
      lose(.stepCountDiffers(found: found, stated: end.steps), line: line)
    }
    if !end.isComplete { add(Finding(problem: .recordingFailed, line: line)) }
  }

  private mutating func take(_ fault: LineFault, _ kind: LostLine, line: Int) {
    let step = kind == .step ? expected + lostLines : nil
    if fault.problem == .torn {
      isTorn = true
      return add(
        Finding(problem: .torn, line: line, step: end == nil ? step : nil, byte: fault.byte))
    }
    guard end == nil else { return lose(.afterEnd, line: line) }
    switch kind {
    case .step: lostSteps.append(lineFindings.count)
    case .gap: hasLostGap = true
    case .other: break
    }
    lose(fault.problem, line: line, step: step, byte: fault.byte)
  }

  /// The number of steps that are missing after the last step or gap; the largest number if that is unknown.
  ///
  /// Lost lines may have been steps, and the end line may count more steps than there are.
  var missingAtEnd: UInt64 {
    // A lost gap can be of any length.
    if hasLostGap { return .max }
    let found = UInt64(position).addingClamped(lostBefore)
    let stated = end?.steps ?? 0
    return max(lostLines, stated > found ? stated - found : 0).addingClamped(stepsAfterEnd)
  }

  /// Resets the lost lines once it is known how many steps are missing; the other lost lines were
  /// not steps.
  private mutating func forgetLostLines(missing: UInt64) {
    lostBefore = lostBefore.addingClamped(hasLostGap ? min(missing, lostLines) : missing)
    for index in lostSteps.dropFirst(Int(clamping: missing)) {
      let found = lineFindings[index]
      lineFindings[index] = Finding(problem: found.problem, line: found.line, byte: found.byte)
    }
    lostSteps.removeAll()
    hasLostGap = false
  }

  /// Records a lost line: the model is not known to continue across it.
  private mutating func lose(
    _ problem: LineProblem, line: Int, step: UInt64? = nil, byte: Int = 0
  ) {
    add(Finding(problem: problem, line: line, step: step, byte: byte))
    accountedFor = accountedFor.addingClamped(1)
    noteBreak(.damage)
  }

  /// The last of several breaks before one step decides: a gap starts over.
  ///
  /// Damage in an imported log does not make its later steps complete.
  private mutating func noteBreak(_ kind: LogBreak.Kind, hidesStatesOnly: Bool = false) {
    let kind = kind == .damage && breaks.last?.kind == .imported ? .imported : kind
    var hidesStatesOnly = hidesStatesOnly
    if let last = breaks.last, last.position == position {
      hidesStatesOnly = hidesStatesOnly && last.hidesStatesOnly
      breaks.removeLast()
    }
    breaks.append(
      LogBreak(position: position, kind: kind, hidesStatesOnly: hidesStatesOnly))
  }
}

extension UInt64 {
  func addingClamped(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
