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

  /// Begins an excerpt with its header.
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
    var reader = LineReader(
      log.file, longestLine: log.longestLine, offset: offset, number: line - 1)
    while let text = try reader.next() {
      guard try take(Array(text), reader.number, of: timeline) else { return }
      if lines.bytes.count > 1 << 20 { try flush() }
    }
  }

  /// Ends the excerpt.
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

  /// Takes a line; returns `false` if the excerpt ends before it.
  private mutating func take(
    _ text: [UInt8], _ line: Int, of timeline: Timeline
  ) throws(LogError) -> Bool {
    guard text.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return true }
    let content: LogLine
    let json: JSON
    do throws(LineFault) {
      json = try JSON(line: text.last == 0x0D ? Array(text.dropLast()) : text)
      content = try LogLine(json)
    } catch {
      let finding = Finding(problem: error.problem, line: line, byte: error.byte)
      throw LogError(path: timeline.log.path, reason: .damaged(finding))
    }
    switch content {
    case .header, .end: break
    case .mark: waiting.append((text, true))
    case .gap(let gap): waiting.append((try Self.text(of: gap, text, first, timeline), false))
    case .unknown: waiting.append((text, false))
    case .step(let step):
      guard step.number <= last else { return false }
      for line in waiting { lines.append(line: line.text) }
      waiting = []
      stepCount += 1
      if let cause = step.cause, cause < first { append(json) } else { lines.append(line: text) }
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
    var lines = LineBuffer()
    gap.write(to: &lines)
    return lines.bytes.dropLast()
  }

  /// Appends a step whose cause is not in the excerpt.
  private mutating func append(_ step: JSON) {
    let moved = ["cause", "effect", "from"]
    lines.line { line in
      for member in step.members where !moved.contains(member.name) && member.name != "x" {
        if member.name != "sum" { line.member(named: member.name, member.value) }
      }
      line.object("x") { x in
        if let earlier = step["x"] {
          for member in earlier.members { x.member(named: member.name, member.value) }
        }
        for member in step.members where moved.contains(member.name) {
          x.member(named: member.name, member.value)
        }
      }
    }
  }
}
