import FluxLog

/// Something that stands between two others in the list of actions.
enum ExportedEntry {
  case step(position: Int)
  case mark(LogMark, position: Int)
  case gap(LogGap, position: Int)
}

extension ExportedSteps {
  /// The steps, with the marks and gaps between them.
  func entries() throws -> [ExportedEntry] {
    var others: [(line: Int, position: Int, entry: ExportedEntry)] = []
    for mark in timeline.log.marks where hasLine(at: mark.position) {
      others.append((mark.line, mark.position, .mark(mark.mark, position: mark.position)))
    }
    for gap in timeline.log.gaps where hasLine(at: gap.position) {
      let complete = try self.complete(gap.gap, at: gap.position)
      others.append((gap.line, gap.position, .gap(complete, position: gap.position)))
    }
    others.sort { $0.line < $1.line }
    var list = EntryList(expected: firstNumber)
    var rest = others[...]
    if let hidden = try hiddenStart() {
      list.append(.gap(hidden, position: positions.lowerBound))
    }
    let damaged = Set(timeline.log.breaks.filter { !$0.endsWithWholeModel }.map(\.position))
    for position in positions {
      list.isHidden = false
      while let next = rest.first, next.position <= position {
        list.append(next.entry)
        rest.removeFirst()
      }
      guard let number = timeline.number(at: position) else { continue }
      list.append(step: number, at: position, isDamaged: damaged.contains(position))
    }
    for other in rest { list.append(other.entry) }
    if reachesEnd {
      list.appendDamage(at: positions.upperBound, missing: timeline.log.missingAtEnd)
    }
    return list.entries
  }

  /// A gap without the steps before the export, and with the states of a model that is not in it.
  private func complete(_ gap: LogGap, at position: Int) throws -> LogGap {
    var gap = gap
    if gap.from < firstNumber { (gap.from, gap.through) = (firstNumber, firstNumber &- 1) }
    guard case .step(let step) = gap.model, step < firstNumber,
      step > 0 || firstNumber != timeline.log.header.first
    else { return gap }
    gap.model = .states(try timeline.model(before: position).json)
    return gap
  }

  /// A gap before the first step, if a state is unknown there.
  private func hiddenStart() throws -> LogGap? {
    guard positions.lowerBound > 0,
      try !timeline.model(at: positions.lowerBound - 1).unknownStores.isEmpty
    else { return nil }
    return LogGap(from: firstNumber, through: firstNumber &- 1, why: .imported)
  }
}

/// Entries in order, with gaps for the numbers that nothing else accounts for.
private struct EntryList {
  private(set) var entries: [ExportedEntry] = []
  private var expected: UInt64
  /// `true` if the last gap before the next step hides the model.
  var isHidden = false

  init(expected: UInt64) {
    self.expected = expected
  }

  mutating func append(_ entry: ExportedEntry) {
    if case .gap(let gap, let position) = entry {
      if gap.from > expected { appendDamage(before: gap.from, at: position) }
      isHidden = gap.why.hidesModel
      expected = max(expected, gap.through &+ 1)
    }
    entries.append(entry)
  }

  mutating func append(step number: UInt64, at position: Int, isDamaged: Bool) {
    if number > expected || isDamaged && !isHidden { appendDamage(before: number, at: position) }
    entries.append(.step(position: position))
    expected = number &+ 1
  }

  /// Appends a gap for the steps that are missing behind the last one; it is empty if their number is not known.
  mutating func appendDamage(at position: Int, missing: (count: UInt64, from: UInt64)) {
    guard missing.count > 0 else { return }
    let (next, isUnknown) = missing.from.addingReportingOverflow(missing.count)
    appendDamage(before: isUnknown ? missing.from : next, at: position)
  }

  private mutating func appendDamage(before number: UInt64, at position: Int) {
    let gap = LogGap(from: min(expected, number), through: number &- 1, why: .damaged)
    entries.append(.gap(gap, position: position))
    expected = number
  }
}
