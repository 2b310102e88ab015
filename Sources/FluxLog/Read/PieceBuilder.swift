/// Turns the lines of one stretch into its index.
struct PieceBuilder {
  private let names: LogNames
  private var reader = OutlineReader()
  private var types = ByteStringTable()
  private var shapes: ShapeCache

  // The stretch that is being built.
  private var offset = 0
  private var starts: [UInt32] = []
  private var typeIDs: [UInt32] = []
  private var shapeIDs: [UInt32] = []
  private var skips: [IndexBlock.Skip] = []
  private var skipped = 0
  private var events: [ScanEvent] = []
  private var run: StepRun?
  private var runLine = 0
  private var line = 0
  private var unterminated: Int?

  init(names: LogNames) {
    self.names = names
    shapes = ShapeCache(names: names)
  }

  mutating func begin(at offset: Int) {
    self.offset = offset
    starts.removeAll(keepingCapacity: true)
    typeIDs.removeAll(keepingCapacity: true)
    shapeIDs.removeAll(keepingCapacity: true)
    skips.removeAll()
    skipped = 0
    events.removeAll()
    run = nil
    line = 0
    unterminated = nil
  }

  mutating func stopUnterminated(at place: Int) { unterminated = place }

  mutating func finish(end: Int) -> ScannedPiece {
    closeRun()
    let block = IndexBlock(
      offset: offset, end: max(end, offset), starts: Array(starts), types: IDColumn(typeIDs),
      shapes: IDColumn(shapeIDs), skips: skips)
    return ScannedPiece(block: block, events: events, lineCount: line, unterminated: unterminated)
  }

  // MARK: Lines

  /// Takes in the line between two places of the file; `bytes` begin at `base` of the file.
  @inline(__always)
  mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ base: Int, from start: Int, to end: Int, isTorn: Bool
  ) {
    defer { line += 1 }
    let hasReturn = unsafe end > start && bytes[end - 1 - base] == UInt8(ascii: "\r")
    let text = start - base..<end - base - (hasReturn ? 1 : 0)
    let content = unsafe UnsafeRawBufferPointer(rebasing: bytes[text])
    if unsafe LineSum.isSound(content) {
      let all = unsafe JSONBytes(bytes)
      let end = text.upperBound - LineSum.tailCount
      if let outline = reader.outline(all, from: text.lowerBound, to: end),
        outline.cause.map({ $0 < outline.number }) ?? true,
        let shape = shapeID(outline, all)
      {
        append(
          outline.number, outline.time, start: start, type: typeID(outline.type, all),
          shape: shape)
        return
      }
    }
    unsafe parse(content, start: start, isTorn: isTorn)
  }

  /// Takes in a line that is not as writers write it, by parsing it.
  @inline(never)
  private mutating func parse(_ content: UnsafeRawBufferPointer, start: Int, isTorn: Bool) {
    guard unsafe !content.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else {
      return skip()
    }
    do throws(LineFault) {
      let json = try unsafe JSON(line: [UInt8](content))
      let parsed = try LogLine(json)
      take(parsed, start: start)
      guard json.hasDuplicateNames else { return }
      let step: UInt64? = if case .step(let step) = parsed { step.number } else { nil }
      closeRun()
      add(.remark(LineFault(problem: .duplicateNames, byte: 0), step: step))
    } catch {
      skip()
      let fault = isTorn ? LineFault(problem: .torn, byte: error.byte) : error
      unsafe add(.lost(fault, mayBeStep: Self.mayBeStep(content)))
    }
  }

  private mutating func take(_ parsed: LogLine, start: Int) {
    switch parsed {
    case .step(let step):
      append(
        step.number, step.time.microseconds, start: start, type: names.id(ofType: step.type),
        shape: names.id(ofShape: StepShape(step)))
      guard let cause = step.cause, cause >= step.number else { return }
      closeRun()
      let problem = LineProblem.causeNotEarlier(cause: cause, step: step.number)
      add(.remark(LineFault(problem: problem, byte: 0), step: step.number))
    case .mark(let mark): skip(.mark(mark))
    case .gap(let gap): skip(.gap(gap))
    case .end(let end): skip(.end(end))
    case .header: skip(.header)
    case .unknown: skip(.unknown)
    }
  }

  /// Whether a line that cannot be read may have been a step: it does not begin like another kind.
  private static func mayBeStep(_ content: UnsafeRawBufferPointer) -> Bool {
    ![#"{"mark""#, #"{"gap""#, #"{"end""#, #"{"flux""#].contains {
      unsafe content.starts(with: $0.utf8)
    }
  }

  // MARK: Steps and others

  @inline(__always)
  private mutating func append(
    _ number: UInt64, _ time: UInt64, start: Int, type: UInt32, shape: UInt32
  ) {
    // Lines begin within the stretch, which is far smaller than 4 GB.
    starts.append(UInt32(start - offset))
    typeIDs.append(type)
    shapeIDs.append(shape)
    if run != nil, run?.continues(with: number, at: time) == true { return }
    closeRun()
    run = StepRun(number: number, count: 1, firstTime: time, lastTime: time)
    runLine = line
  }

  /// Notes a line that is no step.
  private mutating func skip(_ content: ScanEvent.Content? = nil) {
    skipped += 1
    if skips.last?.step == starts.count { skips.removeLast() }
    skips.append(IndexBlock.Skip(step: starts.count, lines: skipped))
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

  // MARK: Names

  @inline(__always)
  private mutating func shapeID(_ outline: StepOutline, _ bytes: JSONBytes) -> UInt32? {
    guard reader.otherWrites.isEmpty else { return shapes.id(outline, reader.writes, bytes) }
    return shapes.id(outline, write: reader.firstWrite, bytes)
  }

  @inline(__always)
  private mutating func typeID(_ type: Range<Int>, _ bytes: JSONBytes) -> UInt32 {
    types.id(of: type, in: bytes) { [names] in names.id(ofType: bytes.string(type)) }
  }
}

extension StepRun {
  /// Takes the step in where it follows those before it.
  @inline(__always)
  mutating func continues(with number: UInt64, at time: UInt64) -> Bool {
    guard number == self.number &+ UInt64(truncatingIfNeeded: count), time >= lastTime else {
      return false
    }
    count += 1
    lastTime = time
    return true
  }
}
