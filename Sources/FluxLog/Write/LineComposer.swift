/// Makes the lines of a log from what a recorder hands over, in order; knows nothing of files.
///
/// What was skipped becomes a gap line before the next step that is written, and that step has
/// the whole model. See docs/log-format.md, "Other lines".
struct LineComposer {
  private(set) var header: LogHeader
  private(set) var ledger: StateLedger
  /// Step lines in this file.
  private(set) var stepCount: UInt64 = 0
  /// The number of the step that comes next.
  private(set) var nextNumber: UInt64
  private let writesWholeStates: Bool
  private let rewriter: ValueRewriter?

  /// Gaps that are not written yet, in order.
  private var gaps: [LogGap] = []
  /// Whether the next accepted step replaces the whole model.
  private var needsWholeModel = false

  init(_ header: LogHeader, writesWholeStates: Bool, rewriter: ValueRewriter? = nil) {
    self.header = header
    self.rewriter = rewriter
    self.writesWholeStates = writesWholeStates
    ledger = StateLedger(header.stores, writesWholeStates: writesWholeStates)
    nextNumber = header.first
  }

  /// The bytes of the largest state that the log leads to, or of one that was since ``findLargestState()``.
  var largestStateByteCount: Int { ledger.largestByteCount }

  /// Looks for the largest state, as that may have become smaller.
  mutating func findLargestState() { ledger.findLargest() }

  /// Whether the file could end here and another begin.
  var isBetweenFiles: Bool { gaps.isEmpty && !needsWholeModel }

  /// Begins another file: the header that belongs in its first line.
  mutating func beginFile() throws(EncodingFailure) -> LogHeader {
    header.stores = try ledger.declarations(header)
    header.first = nextNumber
    ledger = StateLedger(header.stores, writesWholeStates: writesWholeStates)
    stepCount = 0
    return header
  }

  // MARK: Lines

  /// Appends a step.
  ///
  /// Where a value of it cannot be encoded, the step becomes part of a gap.
  mutating func append(
    _ record: consuming StepRecord, to lines: inout LineBuffer
  ) throws(EncodingFailure) {
    if let rewriter { record.rewrite(by: rewriter) }
    do throws(EncodingFailure) {
      let action = try record.action.text()
      if record.rejection != nil {
        write(record, action, StepChanges(), to: &lines)
      } else if needsWholeModel {
        for change in record.changes { ledger.skip(change) }
        let model = try ledger.present()
        ledger.replaceAll(with: model)
        needsWholeModel = false
        write(record, action, StepChanges(whole: model), to: &lines)
      } else {
        write(record, action, try StepChanges(record.changes, in: &ledger), to: &lines)
      }
      nextNumber = record.number + 1
    } catch {
      let gap = LogGap(from: record.number, through: record.number, why: .dropped)
      leaveOut(SkipRecord(gap: gap, changes: record.changes))
      throw error
    }
  }

  /// Takes in steps that are not written.
  mutating func skip(_ skipped: consuming SkipRecord) {
    if let rewriter { skipped.show(to: rewriter) }
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
    needsWholeModel = true
    nextNumber = gap.through + 1
  }

  mutating func append(_ mark: LogMark, to lines: inout LineBuffer) {
    var mark = mark
    if let rewriter { mark.text = rewriter.rewrite(mark.text) }
    mark.write(to: &lines)
  }

  /// Appends what ends a file that is closed.
  mutating func end(isComplete: Bool, to lines: inout LineBuffer) {
    writeGaps(to: &lines)
    LogEnd(steps: stepCount, isComplete: isComplete).write(to: &lines)
  }

  // MARK: Steps

  private mutating func write(
    _ record: StepRecord, _ action: [UInt8], _ changes: StepChanges, to lines: inout LineBuffer
  ) {
    writeGaps(to: &lines)
    stepCount += 1
    lines.line { line in
      line.member("n", record.number)
      line.member("t", record.time)
      line.member("action", text: action)
      if let target = record.target { line.member("target", target) }
      if let cause = record.cause { line.member("cause", cause) }
      if let effect = record.effect { line.member("effect", effect) }
      if let from = record.from { line.member("from", from) }
      if let source = record.source { line.member("at", source) }
      if let took = record.took { line.member("took", took) }
      changes.write(to: &line)
      if var rejection = record.rejection {
        if let rewriter { rejection.message = rewriter.rewrite(rejection.message) }
        rejection.write(to: &line)
      }
    }
  }

  private mutating func writeGaps(to lines: inout LineBuffer) {
    for gap in gaps { gap.write(to: &lines) }
    gaps.removeAll()
  }
}

extension PreparedAction {
  fileprivate func text() throws(EncodingFailure) -> [UInt8] {
    switch content {
    case .encoded(let text): text
    case .deferred(let value): try value.action()
    case .failed(let failure): throw failure
    }
  }
}
