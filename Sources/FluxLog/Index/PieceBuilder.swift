import FluxJSON

struct PieceBuilder: ~Copyable {
  /// The index entry of a step.
  ///
  /// One array of these grows with one check per step instead of four.
  private struct Step {
    var start: UInt32
    var type: UInt32
    var shape: UInt32
    var source: UInt32
  }

  private let names: LogNames
  private var reader = OutlineReader()
  private var templates = LineTemplates()
  private var known: NameCache

  // The current piece.
  private var offset = 0
  private var steps: [Step] = []
  private var skips: [IndexBlock.Skip] = []
  private var skipped = 0
  private var events: [ScanEvent] = []
  private var run: StepRun?
  private var runLine = 0
  private var line = 0
  private var sums = LineSums()
  /// The number of lines that are not known to have a sum.
  private var linesWithoutSum = 0
  /// The line that is taken, if it has its own array.
  private var whole: [UInt8]?

  init(names: LogNames) {
    self.names = names
    known = NameCache(names: names)
  }

  mutating func begin(at offset: Int) {
    self.offset = offset
    steps.removeAll(keepingCapacity: true)
    skips.removeAll()
    skipped = 0
    events.removeAll()
    run = nil
    line = 0
    sums = LineSums()
    linesWithoutSum = 0
  }

  mutating func finish(end: Int) -> ScannedPiece {
    closeRun()
    // Every index is less than the count.
    let block = unsafe steps.withUnsafeBufferPointer { steps in
      IndexBlock(
        offset: offset, end: max(end, offset),
        starts: LineStarts(count: steps.count) { unsafe steps[$0].start },
        types: NumberColumn(count: steps.count) { unsafe steps[$0].type },
        shapes: NumberColumn(count: steps.count) { unsafe steps[$0].shape },
        sources: NumberColumn(count: steps.count) { unsafe steps[$0].source }, skips: skips)
    }
    // Counting the lines without one costs nothing on the path of most lines.
    sums.hasSum = line > linesWithoutSum
    return ScannedPiece(block: block, events: events, lineCount: line, sums: sums)
  }

  // MARK: Lines

  /// Adds a line, which is a range of the bytes and starts at offset `start` of the file.
  @inline(__always)
  mutating func take(_ bytes: JSONBytes, _ line: Range<Int>, start: Int, isTorn: Bool) {
    defer { self.line += 1 }
    guard let step = StepLine(bytes, line) else {
      return read(bytes, StepLine.withoutReturn(line, bytes), start: start, isTorn: isTorn)
    }
    if let match = templates.find(bytes, from: line.lowerBound, to: step.end) {
      append(
        match.number, match.time, start: start, type: match.type, shape: match.shape,
        source: match.source)
    } else if !readOutline(step, start: start) {
      read(bytes, step.range, start: start, isTorn: isTorn)
    }
  }

  /// Adds a long line, of which nothing is copied.
  mutating func take(whole text: [UInt8], start: Int, isTorn: Bool) {
    whole = text
    unsafe text.withUnsafeBytes { bytes in
      unsafe take(JSONBytes(bytes), 0..<bytes.count, start: start, isTorn: isTorn)
    }
    whole = nil
  }

  /// Adds a line with a correct sum; returns `false` if it is not a step as writers write it.
  @inline(never)
  private mutating func readOutline(_ line: StepLine, start: Int) -> Bool {
    let bytes = line.bytes
    guard let outline = line.outline(&reader),
      outline.cause.map({ $0 < outline.number }) ?? true,
      let shape = known.id(ofShape: outline, reader.writes, in: bytes)
    else { return false }
    let type = known.id(ofType: outline.type, in: bytes)
    let source = outline.source.map { known.id(ofSource: $0, in: bytes) } ?? LogNames.noSource
    append(
      outline.number, outline.time, start: start, type: type, shape: shape, source: source)
    templates.learn(
      bytes, from: line.range.lowerBound, to: line.end, outline.numbers,
      names: [outline.type] + (outline.source.map { [$0] } ?? []) + reader.writes.map(\.name),
      type: type, shape: shape, source: source)
    return true
  }

  /// Adds a line of any kind by reading all of its members.
  @inline(never)
  private mutating func read(_ bytes: JSONBytes, _ text: Range<Int>, start: Int, isTorn: Bool) {
    let content = unsafe bytes.slice(text.lowerBound, text.upperBound)
    guard unsafe !content.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else {
      linesWithoutSum += 1
      return skip()
    }
    do throws(LineFault) {
      let isWhole = whole?.count == content.count
      let json = try unsafe JSON(line: isWhole ? whole ?? [] : [UInt8](content))
      let parsed = try LogLine(json, limit: names.limit)
      take(parsed, start: start)
      if json["sum"] == nil {
        linesWithoutSum += 1
        sums.addMissing(line: line)
      }
      guard json.hasDuplicateNames else { return }
      let step: UInt64? = if case .step(let step) = parsed { step.number } else { nil }
      remark(.duplicateNames, step: step)
    } catch {
      linesWithoutSum += 1
      skip()
      let fault = isTorn ? LineFault(problem: .torn, byte: error.byte) : error
      unsafe add(.lost(fault, LostLine(content)))
    }
  }

  /// Adds a line that is too long to be read, by its beginning.
  mutating func takeTooLong(
    _ bytes: JSONBytes, _ beginning: Range<Int>, byteCount: Int, limit: Int
  ) {
    defer { line += 1 }
    linesWithoutSum += 1
    skip()
    let fault = LineFault(lineTooLong: byteCount, limit: limit)
    let content = unsafe bytes.slice(beginning.lowerBound, beginning.upperBound)
    unsafe add(.lost(fault, LostLine(content)))
  }

  private mutating func take(_ parsed: LogLine, start: Int) {
    switch parsed {
    case .step(let step):
      append(
        step.number, step.time.microseconds, start: start, type: names.id(ofType: step.type),
        shape: names.id(ofShape: StepShape(step)),
        source: step.source.map(names.id(ofSource:)) ?? LogNames.noSource)
      if let cause = step.cause, cause >= step.number {
        remark(.causeNotEarlier(cause: cause, step: step.number), step: step.number)
      }
      if step.rejection != nil, !step.effects.isEmpty {
        remark(.effectsInRejectedStep, step: step.number)
      }
    case .mark(let mark): skip(.mark(mark))
    case .gap(let gap): skip(.gap(gap))
    case .end(let end): skip(.end(end))
    case .header: skip(.header)
    case .unknown: skip(.unknown)
    }
  }

  private mutating func remark(_ problem: LineProblem, step: UInt64?) {
    closeRun()
    add(.remark(LineFault(problem: problem, byte: 0), step: step))
  }

  // MARK: Steps and others

  @inline(__always)
  private mutating func append(
    _ number: UInt64, _ time: UInt64, start: Int, type: UInt32, shape: UInt32, source: UInt32
  ) {
    // Lines start in the piece, which is far smaller than 4 GB.
    steps.append(Step(start: UInt32(start - offset), type: type, shape: shape, source: source))
    if run != nil, run?.continues(with: number, at: time) == true { return }
    closeRun()
    run = StepRun(number: number, count: 1, firstTime: time, lastTime: time)
    runLine = line
  }

  /// Counts a line that is not a usable step.
  private mutating func skip(_ content: ScanEvent.Content? = nil) {
    skipped += 1
    if skips.last?.step == steps.count { skips.removeLast() }
    skips.append(IndexBlock.Skip(step: steps.count, lines: skipped))
    closeRun()
    if let content { add(content) }
  }

  private mutating func add(_ content: ScanEvent.Content) {
    events.append(ScanEvent(line: line, content: content))
  }

  private mutating func closeRun() {
    guard let run else { return }
    events.append(ScanEvent(line: runLine, content: .steps(run)))
    self.run = nil
  }
}
