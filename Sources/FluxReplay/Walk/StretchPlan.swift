import FluxJSON
import FluxLog
import FluxSystem

/// The stretches in which a range of a log can be replayed; between them, the model comes from the log.
struct StretchPlan {
  /// The positions of consecutive steps; a replay begins in the model before the first of them.
  private(set) var stretches: [Range<Int>] = []
  /// The position from which damage prevents replay; nil if there is none.
  private(set) var damagedFrom: Int?

  init(_ timeline: Timeline, _ range: Range<Int>) throws(LogError) {
    let breaks = timeline.log.breaks
    // A break right before the range hides the states after the last step before it.
    let isBroken = breaks.contains { $0.position == range.lowerBound && !$0.hidesStatesOnly }
    let start = range.lowerBound - 1
    guard var base = isBroken ? start : try Self.known(start, timeline, range.upperBound) else {
      damagedFrom = range.lowerBound
      return
    }
    for found in breaks where found.position > base && !found.hidesStatesOnly {
      guard found.position < range.upperBound else { break }
      add(base, to: found.position)
      if found.kind == .restored,
        try timeline.model(before: found.position).unknownStores.isEmpty
      {
        base = found.position - 1
        continue
      }
      guard
        let known = try Self.resumption(found.position, after: found, timeline, range.upperBound)
      else {
        damagedFrom = found.position
        return
      }
      base = known
    }
    add(base, to: range.upperBound)
  }

  private mutating func add(_ base: Int, to end: Int) {
    if base + 1 < end { stretches.append(base + 1..<end) }
  }

  /// Returns the first position at or after `base` whose model is known; nil if damage hides it.
  ///
  /// If only unwritten states are unknown, returns the last earlier one: replay rebuilds them from there.
  private static func known(
    _ base: Int, _ timeline: Timeline, _ end: Int
  ) throws(LogError) -> Int? {
    guard base >= 0, !(try timeline.model(at: base).unknownStores.isEmpty) else { return base }
    if let model = try timeline.lastKnownModel(atOrBefore: base) { return model.position }
    guard
      let last = timeline.log.breaks.last(where: { $0.position <= base && !$0.hidesStatesOnly })
    else { return nil }
    return try resumption(base, after: last, timeline, end)
  }

  /// Returns the first position at or after `base` that a replay can begin after, given that a break hides the model there;
  /// nil if damage does.
  ///
  /// That is where all stores are known: at the first accepted step after most gaps, and where the last store has been
  /// written whole after a gap that a repair left. If there is none before the next break, returns the last position before
  /// that: nothing in between can be replayed.
  private static func resumption(
    _ base: Int, after found: LogBreak, _ timeline: Timeline, _ end: Int
  ) throws(LogError) -> Int? {
    let log = timeline.log
    let next = log.breaks.first { $0.position > base && !$0.hidesStatesOnly }
    var range = base..<min(next?.position ?? end, end)
    let last = range.upperBound - 1
    if found.endsWithWholeModel {
      guard try found.fault(in: log) == nil else { return nil }
      guard let accepted = log.position(in: range, shapeWhere: { !$0.isRejected }) else {
        return last
      }
      range = accepted..<range.upperBound
    } else if log.damagedLines(before: found.position) != nil {
      return nil
    }
    return timeline.firstKnownPosition(in: range) ?? last
  }
}

extension StretchPlan {
  /// Returns the damage that prevents steps of a range from being replayed.
  func damage(in log: LogFile, _ range: Range<Int>) throws(LogError) -> [Finding] {
    guard let damagedFrom else {
      // Damage after the last step is irrelevant for a range that ends earlier.
      let end =
        range.upperBound < log.count ? log.lineNumber(at: range.upperBound) ?? .max : .max
      let last = range.isEmpty ? 0 : log.lineNumber(at: range.upperBound - 1) ?? 0
      return log.findings.filter {
        $0.problem.severity == .lost && $0.line > last && $0.line < end
      }
    }
    // Replay passed over earlier damage. Of several findings in one place, such as a line that is damaged and a number that
    // is missing after it, the first is the reason.
    let found = log.breaks.last { $0.position <= damagedFrom }
    if let damage = log.damage(before: found?.position ?? damagedFrom).first { return [damage] }
    return try found?.fault(in: log).map { [$0] } ?? []
  }

  /// Returns remarks on steps that cannot be compared.
  func notes(on log: LogFile, _ range: Range<Int>) -> [String] {
    var notes: [String] = []
    for finding in log.findings {
      switch finding.problem {
      // The additions of a newer version are not compared.
      case .newerMinorVersion: notes.append(finding.problem.message)
      case .byteOrderMark: notes.append("\(finding)")
      default: break
      }
    }
    if let first = stretches.first, first.lowerBound < range.lowerBound {
      let (wanted, begins) = (log.number(at: range.lowerBound), log.number(at: first.lowerBound))
      notes.append(
        "replay begins at step \(begins ?? 0), not \(wanted ?? 0): the states before the latter are not all written"
      )
    }
    notes += gapNotes(on: log, range)
    for finding in log.findings where finding.problem.severity == .suspect {
      notes.append("\(finding)")
    }
    if log.header.seed == nil {
      notes.append("the log has no seed, so random numbers differ from the recorded ones")
    }
    return notes
  }

  /// The number of gaps with a note each: a recorder that leaves out the actions of a type leaves thousands.
  private static let toldGapCount = 20

  /// Returns a note on each of the first gaps, and one on all others.
  private func gapNotes(on log: LogFile, _ range: Range<Int>) -> [String] {
    let gaps = passedGaps(in: log, range)
    var notes = gaps.prefix(Self.toldGapCount).map {
      $0.gap.note(resumption: $0.resumption, steps: $0.steps.count)
    }
    let others = gaps.dropFirst(Self.toldGapCount)
    guard let last = others.last else { return notes }
    // Gaps without steps between them pass over the same ones.
    var (count, end) = (0, 0)
    for gap in others where gap.steps.upperBound > end {
      count += gap.steps.upperBound - max(end, gap.steps.lowerBound)
      end = gap.steps.upperBound
    }
    notes.append(
      "\(others.count.counted("more gap")) up to step \(last.gap.through); "
        + LogGap.rest(of: count, after: "them", resumption: last.resumption))
    return notes
  }

  /// Returns the gaps in a range, each with the steps after it that are not compared, and the step after which replay resumes;
  /// nil if nothing after it is replayed.
  private func passedGaps(
    in log: LogFile, _ range: Range<Int>
  ) -> [(gap: LogGap, steps: Range<Int>, resumption: UInt64?)] {
    let imports = Set(log.imports(in: range))
    return log.gaps.elements(in: range, by: \.position).compactMap { found in
      let (gap, start) = (found.gap, found.position)
      if imports.contains(start) { return nil }
      if log.isRestored(before: start), stretches.contains(where: { $0.lowerBound == start }) {
        return gap.isEmpty ? nil : (gap, start..<start, gap.through)
      }
      let known = resumption(after: found, in: log, before: range.upperBound)
      let end = known.map { $0 + 1 } ?? range.upperBound
      return (gap, start..<end, known.flatMap { log.number(at: $0) })
    }
  }

  /// Returns the position after which replay resumes after a gap; nil if nothing after it is replayed.
  private func resumption(after found: RecordedGap, in log: LogFile, before end: Int) -> Int? {
    if let damagedFrom, damagedFrom <= found.position { return nil }
    let accepted = log.position(in: found.position..<end) { !$0.isRejected }
    if let accepted, !found.gap.why.hidesModel,
      log.continuesModel(in: found.position + 1..<accepted + 1)
    {
      return accepted
    }
    let next = stretches.first { $0.lowerBound > found.position }
    return next.map { $0.lowerBound - 1 }
  }
}

extension LogBreak {
  /// Returns the fault of the first accepted step after a gap, if it does not write the whole model.
  fileprivate func fault(in log: LogFile) throws(LogError) -> Finding? {
    guard endsWithWholeModel else { return nil }
    let first = log.position(in: position..<log.count) { !$0.isRejected }
    guard let first else { return nil }
    let step: LogStep
    do throws(LogError) {
      step = try log.step(at: first)
    } catch {
      guard case .damaged(let finding) = error.reason else { throw error }
      return finding
    }
    var rules = log.rules(before: first)
    rules.begin(isRejected: false)
    for (store, kind, _) in step.writes {
      guard let problem = rules.problem(of: kind, to: store, isAbsent: false) else { continue }
      return try log.finding(problem, at: first)
    }
    return nil
  }
}

extension LogGap {
  /// Returns the note on missing steps, and on those after them up to `resumption`; nil if nothing after them is
  /// replayed.
  fileprivate func note(resumption: UInt64?, steps count: Int) -> String {
    let (missing, them) =
      isEmpty
      ? ("the model before step \(from) is", "it")
      : from == through ? ("step \(from) is", "it") : ("steps \(from) to \(through) are", "them")
    return "\(missing) not in the log (\(why)); "
      + Self.rest(of: count, after: them, resumption: resumption)
  }

  fileprivate static func rest(of count: Int, after them: String, resumption: UInt64?) -> String {
    "\(count.counted("step")) after \(them) not compared, "
      + (resumption.map { "replay resumes after step \($0)" } ?? "nothing after \(them) is replayed")
  }
}
