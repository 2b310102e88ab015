import FluxLog
import FluxSystem

/// The stretches in which a range of a log can be replayed; between them, the model comes from the log.
struct StretchPlan {
  /// The positions of consecutive steps; a replay begins in the model before the first of them.
  private(set) var stretches: [Range<Int>] = []
  /// The position from which damage prevents replay; nil if there is none.
  private(set) var damagedFrom: Int?

  /// Plans the replay of a range; `continuesInRestoredModels` is `false` if the model after a restoring gap comes
  /// from the step after it.
  init(
    _ timeline: Timeline, _ range: Range<Int>, continuesInRestoredModels: Bool = true
  ) throws(LogError) {
    var base = range.lowerBound - 1
    guard let known = try Self.known(base, timeline, range.upperBound) else {
      damagedFrom = range.lowerBound
      return
    }
    base = known
    for found in timeline.log.breaks where found.position > base && !found.hidesStatesOnly {
      guard found.position < range.upperBound else { break }
      add(base, to: found.position)
      if !found.endsWithWholeModel {
        damagedFrom = found.position
        return
      }
      if continuesInRestoredModels, found.kind == .restored,
        try timeline.model(before: found.position).unknownStores.isEmpty
      {
        base = found.position - 1
      } else {
        base = Self.resumption(found.position, timeline.log, range.upperBound)
      }
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
    guard let last = timeline.log.breaks.last(where: { $0.position <= base }),
      last.endsWithWholeModel
    else { return nil }
    return resumption(last.position, timeline.log, end)
  }

  /// Returns the position of the first accepted step after a gap, which has the whole model; the end if there
  /// is none.
  private static func resumption(
    _ position: Int, _ log: LogFile, _ end: Int
  ) -> Int {
    let accepted = log.position(in: position..<end) { !$0.isRejected }
    return accepted ?? end
  }
}

extension StretchPlan {
  /// Returns the damage that prevents steps of a range from being replayed.
  func damage(in log: LogFile, _ range: Range<Int>) throws(LogError) -> [Finding] {
    let lost = log.findings.filter { $0.problem.severity == .lost }
    guard !lost.isEmpty else { return [] }
    let first = try damagedFrom.map { (position) throws(LogError) in
      log.lineNumber(at: position) ?? .max
    }
    // Damage after the last step is irrelevant for a range that ends earlier.
    let end =
      range.upperBound < log.count ? log.lineNumber(at: range.upperBound) ?? .max : .max
    guard let first else {
      let last = range.isEmpty ? 0 : log.lineNumber(at: range.upperBound - 1) ?? 0
      return lost.filter { $0.line > last && $0.line < end }
    }
    // The last damage before the step hides it, such as a line that is damaged, or missing before that of the step; replay
    // passed over the earlier ones.
    return lost.last { $0.line <= first }.map { [$0] } ?? []
  }

  /// Returns remarks on steps that cannot be compared.
  func notes(on log: LogFile, _ range: Range<Int>) -> [String] {
    var notes: [String] = []
    if let first = stretches.first, first.lowerBound < range.lowerBound {
      let (wanted, begins) = (log.number(at: range.lowerBound), log.number(at: first.lowerBound))
      notes.append(
        "replay begins at step \(begins ?? 0), not \(wanted ?? 0): the states before the latter are not all written"
      )
    }
    let imports = Set(log.imports(in: range))
    for found in log.gaps
    where found.position >= range.lowerBound && found.position < range.upperBound
      && !imports.contains(found.position)
    {
      if log.isRestored(before: found.position),
        stretches.contains(where: { $0.lowerBound == found.position })
      {
        guard !found.gap.isEmpty else { continue }
        notes.append(found.gap.note(resumption: found.gap.through, steps: 0))
        continue
      }
      let isHidden = found.gap.why.hidesModel
      let accepted =
        isHidden
        ? nil : log.position(in: found.position..<range.upperBound) { !$0.isRejected }
      let resumption = accepted.flatMap { log.number(at: $0) }
      let count = accepted.map { $0 + 1 - found.position } ?? range.upperBound - found.position
      notes.append(found.gap.note(resumption: resumption, steps: count))
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

extension LogGap {
  /// Returns the note on missing steps, and on those after them up to `resumption`; nil if nothing after them is
  /// replayed.
  fileprivate func note(resumption: UInt64?, steps count: Int) -> String {
    (isEmpty
      ? "the model before step \(from) is not in the log (\(why)); "
      : "steps \(from) to \(through) are not in the log (\(why)); ")
      + "\(count.counted("step")) after them not compared, "
      + (resumption.map { "replay resumes after step \($0)" } ?? "nothing after them is replayed")
  }
}
