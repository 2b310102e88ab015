package import FluxJSON
import FluxSystem

/// Rewrites a log with new states and keeps everything else.
///
/// The caller goes through the log step by step and states what each step now changes. Marks, gaps,
/// the end line and unknown lines are copied byte for byte. So are all members of a step other than
/// its outcome. A log by hand has no sums, and gets none. The log is not replaced before ``commit()``.
///
/// Must not be used by several threads at once.
package final class LogRewriter {
  private let log: LogFile
  private let output: ReplacementFile
  private let stores: [LogHeader.Store]
  /// `true` if the header has no sum, as in a log by hand.
  private var isByHand = false
  private var lines: LineReader
  private var ledger: StateLedger
  private var written = LineBuffer()
  private var position = 0
  /// The number of step lines that changed, sums aside.
  package private(set) var changedSteps = 0

  /// Starts rewriting a log, which must not be recorded any longer, to replace the file at a path.
  ///
  /// The stores have their states before the first step. `redacted` and `only` are those of ``LogHeader``.
  package init(
    _ log: LogFile, to path: String, stores: [LogHeader.Store], redacted: [String],
    only: [String]? = nil, writesWholeStates: Bool
  ) throws(LogError) {
    guard try log.file.lock() else { throw LogError(path: log.path, reason: .locked) }
    self.log = log
    do throws(LogError) {
      guard try log.file.isAtPath() else { throw LogError(path: log.path, reason: .changed) }
      output = try ReplacementFile(of: path, from: log.file)
    } catch {
      log.file.unlock()
      throw error
    }
    self.stores = stores.map(\.canonical)
    ledger = StateLedger(self.stores, writesWholeStates: writesWholeStates)
    lines = LineReader(log.file, longestLine: log.longestLine)
    _ = try lines.next()
    let header = try parsed(log.headerText)
    isByHand = header["sum"] == nil
    writeHeader(header, redacted, only)
  }

  deinit { log.file.unlock() }

  /// The path of the new file until it replaces the old one.
  package var path: String { output.path }

  // MARK: Steps

  /// Copies the next step, which changes no store.
  package func keep() throws(LogError) {
    let (text, _) = try nextStep()
    written.append(line: text)
    try flush()
  }

  /// Writes the next step with its new changes and effects, or its rejection.
  ///
  /// If `effects` is `nil`, those of an accepted step stay.
  package func write(
    _ changes: [StepRecord.Change], effects: [StoreEffects]? = nil, rejection: LogRejection? = nil
  ) throws(LogError) {
    let (text, step) = try nextStep()
    let number = log.number(at: position - 1) ?? 0
    let stepChanges: StepChanges
    do throws(EncodingFailure) {
      stepChanges = try ledger.write(changes)
    } catch {
      throw error.ofStep(number, in: log.path)
    }
    // A rejected step starts and cancels no effect.
    try write(step, stepChanges, rejection == nil ? effects : [], rejection, was: text)
    try flush()
  }

  /// Writes the next step, the first accepted one after a gap, with the whole model and its new effects.
  ///
  /// If `effects` is `nil`, its effects stay.
  package func write(
    model: StoreDictionary<JSON>, effects: [StoreEffects]? = nil
  ) throws(LogError) {
    let (text, step) = try nextStep()
    let states = stores.compactMap { store in
      model[store.name].map { (name: store.name, state: $0.canonical()) }
    }
    ledger.replaceAll(with: states)
    try write(step, StepChanges(whole: states), effects, nil, was: text)
    try flush()
  }

  /// Copies the lines after the last step, and waits until everything is on disk.
  package func finish() throws(LogError) {
    precondition(position == log.count, "every step has to be written before the end")
    if try copyLines() != nil { throw LogError(path: log.path, reason: .changed) }
    try output.write(&written)
    try output.synchronize()
  }

  /// Replaces the old file.
  package func commit() throws(LogError) {
    try output.commit()
    unsafe unlink(LogFileNames.indexPath(of: output.destination))
  }

  private func write(
    _ step: JSON, _ changes: StepChanges, _ effects: [StoreEffects]?, _ rejection: LogRejection?,
    was text: [UInt8]
  ) throws(LogError) {
    let outcome = StepMember.changes + [.rejection] + (effects == nil ? [] : [.effects])
    let line = rewritten(step) { lines in
      lines.line { line in
        line.members(StepMember.allCases, over: step.lineMembers, replaces: outcome.contains) {
          member, _, line in
          switch member {
          case .effects: effects?.write(to: &line)
          case .rejection: rejection?.write(to: &line)
          default: changes.write(member, to: &line)
          }
        }
      }
    }
    written.append(line: line)
    guard line != text, try !isSame(step, as: parsed(line)) else { return }
    changedSteps += 1
  }

  /// `true` if two steps have the same members, sums aside.
  private func isSame(_ step: JSON, as other: JSON) -> Bool {
    let members = step.lineMembers
    return members.count == other.lineMembers.count
      && members.allSatisfy { member in other[member.name] == member.value }
  }

  private func flush() throws(LogError) {
    if written.bytes.count > 1 << 20 { try output.write(&written) }
  }

  // MARK: Lines

  private func writeHeader(_ line: JSON, _ redacted: [String], _ only: [String]?) {
    var header = log.header
    header.stores = stores
    header.redacted = redacted
    header.only = only
    guard header != log.header else { return written.append(line: log.headerText) }
    written.append(
      line: rewritten(line) {
        $0.line(
          of: header, LogHeader.fields, over: line, replacing: ["stores", "redacted", "only"])
      })
  }

  /// Returns what a line becomes, without its newline.
  ///
  /// `write` writes it. A line without a sum in a log by hand gets none.
  private func rewritten(_ line: JSON, _ write: (inout LineBuffer) -> Void) -> [UInt8] {
    let new = LineBuffer.lines(write).dropLast()
    guard isByHand, line["sum"] == nil else { return Array(new) }
    return new.dropLast(LineSum.tailCount) + [UInt8(ascii: "}")]
  }

  /// Returns the next step line, as bytes and parsed; copies the lines before it.
  private func nextStep() throws(LogError) -> (text: [UInt8], step: JSON) {
    let expected = log.number(at: position)
    guard let (text, step) = try copyLines(), step["n"]?.number?.uint64 == expected else {
      throw LogError(path: log.path, reason: .changed)
    }
    if !log.imports(in: position..<position + 1).isEmpty { ledger.forgetAll() }
    position += 1
    return (text, step)
  }

  /// Copies lines up to the next step, and returns that; `nil` at the end.
  private func copyLines() throws(LogError) -> (text: [UInt8], step: JSON)? {
    while let text = try lines.next() {
      if let byteCount = lines.tooLong {
        throw damage(LineFault(lineTooLong: byteCount, limit: log.longestLine))
      }
      if !text.isBlankLine {
        let line = try parsed(text.lineContent)
        if line["n"] != nil { return (text, line) }
      }
      written.append(line: text)
      try flush()
    }
    return nil
  }

  private func parsed(_ text: [UInt8]) throws(LogError) -> JSON {
    do throws(LineFault) {
      return try JSON(line: text)
    } catch {
      throw damage(error)
    }
  }

  private func damage(_ fault: LineFault) -> LogError {
    LogError(
      path: log.path, fault, line: max(1, lines.number), step: log.number(at: position))
  }
}
