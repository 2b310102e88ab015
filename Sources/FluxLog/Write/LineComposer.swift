import FluxJSON

/// Composes the lines of a log from the events of a recorder, in order; does no I/O.
///
/// Skipped steps become a gap line before the next step that is written, and that step has the
/// whole model. See docs/log-format.md, "Other lines".
struct LineComposer {
  private(set) var header: LogHeader
  var ledger: StateLedger
  /// The number of step lines in this file.
  private(set) var stepCount: UInt64 = 0
  private(set) var nextNumber: UInt64
  private let rewriter: (any ValueRewriter)?
  // Separate, because reading it from the rewriter copies the rewriter.
  private let rewritesValues: Bool

  /// The gaps that are not written yet, in order.
  private var gaps: [LogGap] = []
  /// The steps of this file after which a state is unknown, because it was left out.
  private var unknownModels: Set<UInt64> = []
  /// `true` if the next accepted step must have the whole model.
  private var needsWholeModel = false
  /// The steps of this file that are left out, in order.
  private var missing: [ClosedRange<UInt64>] = []

  init(
    _ header: LogHeader, writesWholeStates: Bool, rewriter: (any ValueRewriter)? = nil,
    makeMemory: StateLedger.MakeMemory? = nil
  ) {
    self.header = header
    self.rewriter = rewriter
    rewritesValues = rewriter?.changesValues == true
    ledger = StateLedger(
      header.stores, writesWholeStates: writesWholeStates, makeMemory: makeMemory)
    nextNumber = header.first
  }

  /// `true` if another file could begin here.
  var isBetweenFiles: Bool { gaps.isEmpty && !needsWholeModel && !ledger.isBehind }

  /// Begins another file; returns its header.
  mutating func beginFile() throws(EncodingFailure) -> LogHeader {
    header.stores = try ledger.declarations(header)
    header.first = nextNumber
    ledger.beginFile(header.stores)
    stepCount = 0
    missing = []
    unknownModels = []
    return header
  }

  /// Takes note of stores whose states the lines before leave out.
  mutating func leaveOut(_ stores: [String]) {
    for store in stores { ledger.leaveOut(store) }
  }

  /// Takes note of a gap in the lines before, after which the next accepted step has the whole model.
  mutating func expectWholeModel() { needsWholeModel = true }

  // MARK: Lines

  /// Appends a step.
  ///
  /// If a value cannot be encoded, the step becomes part of a gap.
  mutating func append(
    _ record: consuming StepRecord, to lines: inout LineBuffer
  ) throws(EncodingFailure) {
    if rewritesValues, let rewriter { record.rewrite(by: rewriter) }
    do throws(EncodingFailure) {
      let action = try record.action.action()
      let secrets = try record.secretTokens()
      if record.rejection != nil {
        write(record, action, secrets, StepChanges(), to: &lines)
      } else if needsWholeModel {
        for change in record.changes { ledger.skip(change) }
        for store in record.unwritten { ledger.leaveOut(store) }
        guard !ledger.isBehind else {
          // A state could not be encoded, and the newest ones are still to come: the gap continues.
          let gap = LogGap(from: record.number, through: record.number, why: .dropped)
          return leaveOut(SkipRecord(gap: gap, changes: []))
        }
        let model = try ledger.present()
        ledger.replaceAll(with: model)
        needsWholeModel = false
        write(record, action, secrets, StepChanges(whole: model), to: &lines)
      } else {
        var changes = try ledger.write(record.changes)
        for store in record.unwritten { ledger.leaveOut(store) }
        changes.unwritten = record.unwritten
        if ledger.isBehind { unknownModels.insert(record.number) }
        write(record, action, secrets, changes, to: &lines)
      }
      nextNumber = record.number + 1
    } catch {
      let gap = LogGap(from: record.number, through: record.number, why: .dropped)
      leaveOut(SkipRecord(gap: gap, changes: record.changes))
      for store in record.unwritten { ledger.leaveOut(store) }
      throw error
    }
  }

  /// Leaves out steps; their changes are written with the next step.
  mutating func skip(_ skipped: consuming SkipRecord) {
    if rewritesValues, let rewriter { skipped.show(to: rewriter) }
    leaveOut(skipped)
  }

  private mutating func leaveOut(_ skipped: SkipRecord) {
    for change in skipped.changes { ledger.skip(change) }
    let gap = skipped.gap
    if let last = gaps.last, last.why == gap.why {
      gaps[gaps.count - 1].through = gap.through
    } else {
      gaps.append(gap)
    }
    if let last = missing.last, last.upperBound + 1 == gap.from {
      missing[missing.count - 1] = last.lowerBound...gap.through
    } else {
      missing.append(gap.from...gap.through)
    }
    needsWholeModel = true
    nextNumber = gap.through + 1
  }

  /// Appends the gap of an app that was set to another model, after the gaps that are not written yet.
  ///
  /// If a state cannot be encoded, the gap does not tell the model.
  mutating func restore(
    _ record: consuming RestoreRecord, to lines: inout LineBuffer
  ) throws(EncodingFailure) {
    if let rewriter { record.changes.rewrite(by: rewriter) }
    writeGaps(to: &lines)
    for change in record.changes { ledger.skip(change) }
    needsWholeModel = true
    var gap = LogGap(restoring: nil, before: record.next)
    defer { gap.write(to: &lines) }
    if let step = record.step, !unknownModels.contains(step), let number = numberInFile(of: step) {
      gap.model = .step(number)
    } else if record.tellsStates, !ledger.isBehind {
      gap.model = .states(JSON(object: try ledger.present().map { ($0.name, $0.state) }))
    }
  }

  /// The number by which a gap can name a step's model: 0 for the header's; nil if the step is not in this file.
  private func numberInFile(of step: UInt64) -> UInt64? {
    if step &+ 1 == header.first { return 0 }
    let next = missing.partitioningIndex { $0.upperBound >= step }
    let isMissing = next < missing.count && missing[next].contains(step)
    return step >= header.first && step < nextNumber && step > 0 && !isMissing ? step : nil
  }

  /// Appends a gap of another log or tool as it is.
  ///
  /// After a gap that hides the model, each store is written whole when it is next known. After all others,
  /// the next accepted step has the whole model.
  mutating func append(_ gap: LogGap, to lines: inout LineBuffer) {
    writeGaps(to: &lines)
    gap.write(to: &lines)
    needsWholeModel = !gap.why.hidesModel
    if gap.why.hidesModel { ledger.forgetAll() }
    nextNumber = gap.through &+ 1
  }

  mutating func append(_ mark: LogMark, to lines: inout LineBuffer) {
    var mark = mark
    if let rewriter { mark.text = rewriter.rewrite(mark.text) }
    mark.write(to: &lines)
  }

  /// Appends the last lines of a file that is closed.
  mutating func end(isComplete: Bool, isCut: Bool, to lines: inout LineBuffer) {
    var end = LogEnd(steps: 0, isComplete: isComplete, unmatched: rewriter?.unmatched ?? [])
    end.isCut = isCut
    self.end(end, to: &lines)
  }

  /// Appends the last lines of a file; its end line, if there is one, has the number of steps that were appended.
  mutating func end(_ end: LogEnd?, to lines: inout LineBuffer) {
    writeGaps(to: &lines)
    guard var end else { return }
    end.steps = stepCount
    end.write(to: &lines)
  }

  // MARK: Steps

  private mutating func write(
    _ record: StepRecord, _ action: [UInt8], _ secrets: [String], _ changes: StepChanges,
    to lines: inout LineBuffer
  ) {
    writeGaps(to: &lines)
    stepCount += 1
    var rejection = record.rejection
    if let rewriter, let message = rejection?.message {
      rejection?.message = rewriter.rewrite(message)
    }
    lines.step(record, action: action, changes, secrets: secrets, rejection)
  }

  private mutating func writeGaps(to lines: inout LineBuffer) {
    for gap in gaps { gap.write(to: &lines) }
    gaps.removeAll()
  }
}
