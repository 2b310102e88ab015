import FluxJSON

/// Copies the lines of an excerpt.
///
/// A step line is copied byte for byte, because the header has the states that the first patches need.
/// Only a cause before the first step moves into `x`, where readers do not look for its step, and a model
/// to which the app went back from there is written out. See docs/log-format.md, "Steps" and "Other lines".
struct ExcerptWriter {
  private let first: UInt64
  private let last: UInt64
  private let write: ([UInt8]) throws(LogError) -> Void
  private var lines = LineBuffer()
  /// Lines that belong to the next step.
  private var waiting: [(text: [UInt8], isMark: Bool)] = []
  private(set) var stepCount = 0
  private(set) var byteCount = 0

  init(
    _ header: LogHeader, last: UInt64, write: @escaping ([UInt8]) throws(LogError) -> Void
  ) throws(LogError) {
    first = header.first
    self.last = last
    self.write = write
    header.write(to: &lines)
  }

  /// Copies the lines of a file from a byte on, up to the last step.
  mutating func copy(_ timeline: Timeline, from offset: Int, line: Int) throws(LogError) {
    let log = timeline.log
    // A recorder may be writing the line after those that are indexed.
    var reader = LineReader(
      log.file, longestLine: log.longestLine, from: offset,
      to: max(offset, log.indexing.index.end), number: line - 1)
    while let text = try reader.next() {
      guard try append(text, reader.number, of: timeline) else { return }
      if lines.bytes.count > 1 << 20 { try flush() }
    }
  }

  mutating func finish() throws(LogError) {
    for line in waiting where line.isMark { lines.append(line: line.text) }
    LogEnd(steps: UInt64(stepCount), isComplete: true).write(to: &lines)
    try flush()
  }

  private mutating func flush() throws(LogError) {
    try write(lines.bytes)
    byteCount += lines.bytes.count
    lines.removeAll()
  }

  /// Appends a line; returns `false` if the excerpt ends before it.
  private mutating func append(
    _ text: [UInt8], _ line: Int, of timeline: Timeline
  ) throws(LogError) -> Bool {
    guard !text.isBlankLine else { return true }
    let json: JSON
    let content: LogLine
    do throws(LineFault) {
      json = try JSON(line: text.lineContent)
      content = try LogLine(json)
    } catch {
      throw LogError(path: timeline.log.path, error, line: line)
    }
    switch content {
    case .header, .end: break
    case .mark: waiting.append((text, true))
    case .gap(let gap): waiting.append((try Self.text(of: gap, text, first, timeline), false))
    case .unknown: waiting.append((text, false))
    case .step(var step):
      guard step.number <= last else { return false }
      for line in waiting { lines.append(line: line.text) }
      waiting = []
      stepCount += 1
      guard let cause = step.cause, cause < first else {
        lines.append(line: text)
        break
      }
      step.moveCause()
      let moved: [StepMember] = [.cause, .effect, .from, .external]
      lines.line { line in
        line.members(StepMember.allCases, over: json.lineMembers, replaces: moved.contains) {
          if $0 == .external { $2.member($0.name, ifPresent: step.external) }
        }
      }
    }
    return true
  }

  /// Returns the line of a gap, with the states of a model that is not in the excerpt.
  private static func text(
    of gap: LogGap, _ text: [UInt8], _ first: UInt64, _ timeline: Timeline
  ) throws(LogError) -> [UInt8] {
    let log = timeline.log
    guard case .step(let step) = gap.model, step < first, step > 0 || first != log.header.first
    else { return text }
    let before = gap.from > 0 ? log.position(atOrBefore: gap.from - 1) : nil
    let position = before ?? Timeline.start
    var gap = gap
    gap.model = .states(try timeline.model(before: position + 1).json)
    return LineBuffer.lines(gap.write).dropLast()
  }
}
