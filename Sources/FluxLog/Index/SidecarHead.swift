import FluxJSON

// The head of a sidecar; writing and reading are side by side.

extension Sidecar {
  func writeHead(to writer: inout SidecarWriter) {
    writer.put(UInt64(identity.size))
    writer.put(identity.modified)
    writer.put(identity.changed)
    writer.put(identity.header)
    writer.put(identity.end)
    writer.put(UInt64(nextLine))
    writer.put(types) { $0.put($1) }
    writer.put(shapes) { writer, shape in
      writer.put(UInt8((shape.isRejected ? 1 : 0) | (shape.hasCause ? 2 : 0)))
      writer.put(shape.writes) { writer, write in
        writer.put(write.store)
        writer.put(write.kind.rawValue)
      }
    }
    checker.write(to: &writer)
    writer.put(entries) { $1.write(to: &$0) }
  }

  init(head reader: inout SidecarReader) throws(SidecarReader.Mismatch) {
    identity = Identity(
      size: try reader.count(), modified: try reader.number(Int64.self),
      changed: try reader.number(Int64.self), header: try reader.number(UInt32.self),
      end: try reader.number(UInt32.self))
    nextLine = try reader.count()
    types = try reader.elements { reader throws(SidecarReader.Mismatch) in try reader.string() }
    shapes = try reader.elements { reader throws(SidecarReader.Mismatch) in
      try StepShape(&reader)
    }
    checker = try SequenceChecker(&reader)
    entries = try reader.elements { reader throws(SidecarReader.Mismatch) in
      try StoredBlock.Entry(&reader)
    }
    guard reader.isAtEnd, isPlausible else { throw SidecarReader.Mismatch() }
  }
}

extension StepShape {
  fileprivate init(_ reader: inout SidecarReader) throws(SidecarReader.Mismatch) {
    let flags = try reader.number(UInt8.self)
    let writes = try reader.elements { reader throws(SidecarReader.Mismatch) in
      let store = try reader.string()
      guard let kind = WriteKind(rawValue: try reader.number(UInt8.self)) else {
        throw SidecarReader.Mismatch()
      }
      return Write(store: store, kind: kind)
    }
    self.init(writes: writes, isRejected: flags & 1 != 0, hasCause: flags & 2 != 0)
  }
}

extension SequenceChecker {
  fileprivate func write(to writer: inout SidecarWriter) {
    for number in [UInt64(position), expected, lastTime, UInt64(unknownLines)] {
      writer.put(number)
    }
    writer.put(UInt8(end.map { $0.isContinued ? 2 : 1 } ?? 0))
    if let end {
      writer.put(end.steps)
      writer.put(end.unmatched) { $0.put($1) }
    }
    writer.put(runs) { writer, run in
      writer.put(UInt64(run.position))
      writer.put(run.number)
    }
    writer.put(gaps) { writer, recorded in
      writer.put(recorded.gap.from)
      writer.put(recorded.gap.through)
      writer.put(recorded.gap.why.description)
      recorded.gap.model.write(to: &writer)
      writer.put(UInt64(recorded.position))
      writer.put(UInt64(recorded.line))
    }
    writer.put(marks) { writer, recorded in
      writer.put(recorded.mark.text)
      writer.put(recorded.mark.time.microseconds)
      writer.put(UInt64(recorded.position))
      writer.put(UInt64(recorded.line))
    }
    writer.put(breaks) { writer, found in
      writer.put(UInt64(found.position))
      writer.put(found.kind.rawValue)
    }
  }

  fileprivate init(_ reader: inout SidecarReader) throws(SidecarReader.Mismatch) {
    let position = try reader.count()
    self.init(first: try reader.number(UInt64.self))
    self.position = position
    lastTime = try reader.number(UInt64.self)
    unknownLines = try reader.count()
    let ending = try reader.number(UInt8.self)
    if ending > 0 {
      // A log whose recording failed has a finding, and so no sidecar.
      end = LogEnd(
        steps: try reader.number(UInt64.self), isComplete: true, isContinued: ending == 2,
        unmatched: try reader.elements { reader throws(SidecarReader.Mismatch) in
          try reader.string()
        })
    }
    runs = try reader.elements { reader throws(SidecarReader.Mismatch) in
      NumberRun(position: try reader.count(), number: try reader.number(UInt64.self))
    }
    gaps = try reader.elements { reader throws(SidecarReader.Mismatch) in
      var gap = LogGap(
        from: try reader.number(UInt64.self), through: try reader.number(UInt64.self),
        why: LogGap.Why(try reader.string()))
      gap.model = try LogGap.Model?(&reader)
      return RecordedGap(gap: gap, position: try reader.count(), line: try reader.count())
    }
    marks = try reader.elements { reader throws(SidecarReader.Mismatch) in
      let text = try reader.string()
      let mark = LogMark(text: text, time: LogTime(microseconds: try reader.number(UInt64.self)))
      return RecordedMark(mark: mark, position: try reader.count(), line: try reader.count())
    }
    breaks = try reader.elements { reader throws(SidecarReader.Mismatch) in
      let position = try reader.count()
      guard let kind = LogBreak.Kind(rawValue: try reader.number(UInt8.self)) else {
        throw SidecarReader.Mismatch()
      }
      return LogBreak(position: position, kind: kind)
    }
  }
}

// MARK: Plausibility

// Checks that the contents of a sidecar are plausible for a log. Checksums do not help against
// someone who sets them. So everything that the reader relies on is checked here once, before it is
// used: places and numbers have to ascend and be in range. Contents that are plausible but wrong
// show when a line is read: it is not the expected step.

extension Sidecar {
  var isPlausible: Bool {
    guard checker.isPlausible, nextLine <= identity.size + 2,
      entries.reduce(0, { $0 + $1.count }) == checker.position
    else { return false }
    var end = 0
    for entry in entries {
      // A line takes at least one byte.
      guard entry.offset >= end, entry.end <= identity.size,
        entry.count <= entry.end - entry.offset, entry.firstLine >= 1, entry.firstLine <= nextLine
      else { return false }
      end = entry.end
    }
    return true
  }
}

extension SequenceChecker {
  /// The largest number in a line that can be counted up from.
  private static let largest = UInt64(Int64.max)

  fileprivate var isPlausible: Bool {
    let largest = Self.largest
    return expected <= largest && end.map { $0.steps <= largest } ?? true && hasPlausibleRuns
      && gaps.allSatisfy { recorded in
        let gap = recorded.gap
        return gap.isEmpty ? gap.from <= expected : gap.isInOrder && gap.through < expected
      }
      && isAscending(gaps.map(\.position)) && isAscending(marks.map(\.position))
      && isAscending(breaks.map(\.position))
  }

  /// `true` if the step numbers ascend from run to run and fit below the next expected number.
  private var hasPlausibleRuns: Bool {
    guard runs.first.map({ $0.position == 0 }) ?? (position == 0) else { return false }
    var ends = runs.dropFirst().map { ($0.position, $0.number) }
    ends.append((position, expected))
    return zip(runs, ends).allSatisfy { run, end in
      guard run.position < end.0, run.number < end.1 else { return false }
      return UInt64(end.0 - run.position) <= end.1 - run.number
    }
  }

  private func isAscending(_ positions: [Int]) -> Bool {
    positions.allSatisfy { (0...position).contains($0) }
      && zip(positions, positions.dropFirst()).allSatisfy { $0 <= $1 }
  }
}

extension LogGap.Model? {
  fileprivate func write(to writer: inout SidecarWriter) {
    switch self {
    case nil: writer.put(UInt8(0))
    case .step(let number)?:
      writer.put(UInt8(1))
      writer.put(number)
    case .states(let states)?:
      writer.put(UInt8(2))
      writer.put(states.description)
    }
  }

  fileprivate init(_ reader: inout SidecarReader) throws(SidecarReader.Mismatch) {
    switch try reader.number(UInt8.self) {
    case 0: self = nil
    case 1: self = .step(try reader.number(UInt64.self))
    default:
      do {
        self = .states(try JSON.parse(Array(try reader.string().utf8)))
      } catch {
        throw SidecarReader.Mismatch()
      }
    }
  }
}
