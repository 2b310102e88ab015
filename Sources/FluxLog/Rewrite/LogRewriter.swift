/// Writes a log anew, with other states, and everything else as it was.
///
/// It goes through the log step by step, as it is told what each step changes now. Marks, gaps, the end and
/// unknown kinds of line are copied byte for byte, and so are all members of a step that say nothing about its
/// outcome. Nothing is in the place of the log before ``commit()``.
///
/// Used by one thread at a time.
package final class LogRewriter {
  private let log: LogFile
  private let output: ReplacementFile
  private let stores: [LogHeader.Store]
  private var lines: LineReader
  private var ledger: StateLedger
  private var written = LineBuffer()
  private var position = 0
  /// The lines of steps that are other ones than before, not counting their sums.
  package private(set) var changedSteps = 0

  /// Begins to write.
  ///
  /// - Parameters:
  ///   - log: The log, which nobody may record any more.
  ///   - path: The file whose place the new one takes.
  ///   - stores: The stores, each with its state before the first step.
  ///   - redacted: The places that are redacted.
  ///   - writesWholeStates: Whether states are always written whole.
  /// - Throws: ``LogError`` where the log is being recorded, or the new file cannot be made.
  package init(
    _ log: LogFile, to path: String, stores: [LogHeader.Store], redacted: [String],
    writesWholeStates: Bool
  ) throws(LogError) {
    guard try log.file.lock() else { throw LogError(path: log.path, reason: .locked) }
    self.log = log
    do throws(LogError) {
      guard try log.file.isStillThere() else { throw LogError(path: log.path, reason: .changed) }
      output = try ReplacementFile(of: path, from: log.file)
    } catch {
      log.file.unlock()
      throw error
    }
    self.stores = stores.map { store in
      var store = store
      store.initial = store.initial?.canonical()
      return store
    }
    ledger = StateLedger(self.stores, writesWholeStates: writesWholeStates)
    lines = LineReader(log.file, longestLine: log.longestLine)
    _ = try lines.next()
    try writeHeader(redacted)
  }

  deinit { log.file.unlock() }

  /// Where the new file is before it is put in its place.
  package var path: String { output.file.path }

  // MARK: Steps

  /// Copies the next step, which changes nothing.
  package func keep() throws(LogError) {
    let (text, _) = try nextStep()
    written.append(line: text)
    try flush()
  }

  /// Writes the next step with what it changes now, or why it does not commit.
  package func write(
    _ changes: [StepRecord.Change], rejection: LogRejection? = nil
  ) throws(LogError) {
    let (text, step) = try nextStep()
    let number = log.number(at: position - 1) ?? 0
    let stepChanges: StepChanges
    do throws(EncodingFailure) {
      stepChanges = try StepChanges(changes, in: &ledger)
    } catch {
      let reason = LogError.Reason.cannotEncode(step: number, store: error.store, why: error.why)
      throw LogError(path: log.path, reason: reason)
    }
    try write(step, stepChanges, rejection, was: text)
    try flush()
  }

  /// Writes the next step, the first that was accepted after a gap, with the whole model.
  package func write(model: StoreDictionary<JSON>) throws(LogError) {
    let (text, step) = try nextStep()
    let states = stores.compactMap { store in
      model[store.name].map { (name: store.name, state: $0.canonical()) }
    }
    ledger.replaceAll(with: states)
    try write(step, StepChanges(whole: states), nil, was: text)
    try flush()
  }

  /// Copies the lines after the last step, and waits until all is on the disk.
  package func finish() throws(LogError) {
    precondition(position == log.count, "every step has to be written before the end")
    if try copyLines() != nil { throw LogError(path: log.path, reason: .changed) }
    try output.append(&written)
    try output.file.synchronize()
  }

  /// Puts the new file in its place.
  package func commit() throws(LogError) { try output.commit() }

  private func write(
    _ step: JSON, _ changes: StepChanges, _ rejection: LogRejection?, was text: ArraySlice<UInt8>
  ) throws(LogError) {
    let start = written.bytes.count
    written.line { line in
      for member in step.members where !Self.outcome.contains(member.name) {
        line.member(named: member.name, member.value)
      }
      changes.write(to: &line)
      rejection?.write(to: &line)
    }
    let line = written.bytes[start...].dropLast()
    guard !line.elementsEqual(text), try !isSame(step, as: parsed(line)) else { return }
    changedSteps += 1
  }

  /// Whether two steps say the same, with or without a sum.
  private func isSame(_ step: JSON, as other: JSON) -> Bool {
    let members = step.members.filter { $0.name != "sum" }
    let others = other.members.filter { $0.name != "sum" }
    return members.count == others.count
      && members.allSatisfy { member in other[member.name] == member.value }
  }

  /// The members that are written anew.
  ///
  /// LOG-FORMAT, "Step".
  private static let outcome: Set = ["states", "patches", "removed", "rejected", "sum"]

  private func flush() throws(LogError) {
    if written.bytes.count > 1 << 20 { try output.append(&written) }
  }

  // MARK: Lines

  private func writeHeader(_ redacted: [String]) throws(LogError) {
    var header = log.header
    guard header.stores != stores || header.redacted != redacted else {
      return written.append(line: log.headerText)
    }
    header.stores = stores
    header.redacted = redacted
    var fresh = LineBuffer()
    header.write(to: &fresh)
    let (old, new) = (try parsed(log.headerText[...]), try parsed(fresh.bytes.dropLast()))
    written.line { line in
      for member in old.members where member.name != "sum" {
        line.member(named: member.name, new[member.name] ?? member.value)
      }
      if old["stores"] == nil, let stores = new["stores"] { line.member("stores", stores) }
    }
  }

  /// The next line of a step, as it is and parsed; the lines before it are copied.
  private func nextStep() throws(LogError) -> (text: ArraySlice<UInt8>, step: JSON) {
    let expected = log.number(at: position)
    guard let (text, step) = try copyLines(), step["n"]?.number?.uint64 == expected else {
      throw LogError(path: log.path, reason: .changed)
    }
    position += 1
    return (text, step)
  }

  /// Copies lines up to the next step, which is returned; nil at the end.
  private func copyLines() throws(LogError) -> (text: ArraySlice<UInt8>, step: JSON)? {
    while let text = try lines.next() {
      guard !lines.isTooLong else { throw damage(LineFault(tooLongFor: log.longestLine)) }
      let content = text.last == 0x0D ? text.dropLast() : text
      if !content.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        let line = try parsed(content)
        if line["n"] != nil { return (text, line) }
      }
      written.append(line: text)
      try flush()
    }
    return nil
  }

  private func parsed(_ text: ArraySlice<UInt8>) throws(LogError) -> JSON {
    do throws(LineFault) {
      return try JSON(line: Array(text))
    } catch {
      throw damage(error)
    }
  }

  private func damage(_ fault: LineFault) -> LogError {
    let finding = Finding(
      problem: fault.problem, line: max(1, lines.number), step: log.number(at: position),
      byte: fault.byte)
    return LogError(path: log.path, reason: .damaged(finding))
  }
}
