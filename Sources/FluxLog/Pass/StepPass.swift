package import FluxJSON
import FluxSystem

/// A pass over the steps of a log, from the first to the last.
///
/// Reads one piece of the file at a time, and keeps no index. So the memory of a pass does not
/// depend on the length of the log, and no line is read twice.
package final class StepPass {
  /// A step of the log.
  ///
  /// The rest of its line is read when a caller asks for it.
  package struct Step {
    /// The step's number.
    package var number: UInt64
    /// The number of the action's type; see ``StepPass/typeName(_:)``.
    package var type: Int
    /// The number of the step's shape; see ``StepPass/shape(_:)``.
    package var shape: Int
    /// The number of steps that are missing right before this one.
    package var missing: UInt64 = 0
    /// The break right before this step; `nil` if the model continues.
    package var interruption: LogBreak.Kind?
  }

  /// The path of the log.
  package var path: String { file.path }
  /// The first line.
  package let header: LogHeader

  let file: OpenFile
  private let names = LogNames()
  private var scanner: PieceScanner
  private var checker: SequenceChecker
  /// The bytes of the lines after the header.
  let range: Range<Int>
  /// The first byte that is not scanned yet.
  private var next: Int
  /// The end of the last complete line.
  private var settled: Int
  private var isAtLastLine = false

  // The current piece.
  private var events: [ScanEvent] = []
  private var event = 0
  private var firstLine = 2
  private var pieceLines = 0
  private var starts: [UInt32] = []
  private var types: [UInt32] = []
  private var shapes: [UInt32] = []
  private var offset = 0
  private var place = 0

  // The current run of steps.
  private var rest = 0
  private var runNumber: UInt64 = 0
  /// The number that the next step has if none is missing.
  private var number: UInt64
  private var runStart = 0
  private var runLine = 0
  private var pendingBreak: LogBreak.Kind?
  private var line: PassedLine?
  private var reader = OutlineReader()
  private var finder: ReplacementFinder?

  /// Two megabytes hide the overhead of a piece, and stay in the cache between read and scan.
  private static let pieceSize = 1 << 21

  /// Opens a log for a pass.
  ///
  /// - Throws: ``LogError`` as ``LogFile/open(_:options:)`` does.
  package convenience init(_ path: String) throws(LogError) {
    try self.init(try OpenFile(reading: path))
  }

  /// Opens a log for a pass that may be stored in another file than the user named.
  package convenience init(_ place: LogPlace) throws(LogError) {
    try self.init(try OpenFile(reading: place))
  }

  /// Makes a pass over a log that is open.
  package convenience init(_ log: LogFile) throws(LogError) {
    try self.init(log.file)
  }

  /// Makes a pass over some steps of an indexed log, which continue the steps before them.
  ///
  /// - Precondition: The log has these positions, and there is at least one.
  init(_ log: LogFile, _ positions: Range<Int>) {
    file = log.file
    header = log.header
    guard let first = log.number(at: positions.lowerBound),
      let start = log.byteRange(at: positions.lowerBound)?.lowerBound,
      let end = log.byteRange(at: positions.upperBound - 1)?.upperBound
    else { preconditionFailure("a pass over steps that are not there") }
    checker = SequenceChecker(first: first)
    number = first
    firstLine = log.lineNumber(at: positions.lowerBound) ?? 2
    range = start..<end
    (next, settled) = (start, start)
    scanner = PieceScanner(
      file: file, fileSize: end, longestLine: log.longestLine, names: names)
  }

  private init(_ file: OpenFile) throws(LogError) {
    self.file = file
    let size = try file.status().size
    let first = try HeaderLine(file: file, size: size)
    header = first.header
    checker = SequenceChecker(first: first.header.first)
    for finding in first.findings { checker.add(finding) }
    number = first.header.first
    range = first.end..<max(first.end, size)
    (next, settled) = (first.end, first.end)
    scanner = PieceScanner(
      file: file, fileSize: size, longestLine: MemoryLimit.standard.lineByteCount, names: names)
  }

  // MARK: Moving

  /// Advances to the next step and returns it; `nil` after the last one.
  ///
  /// - Throws: ``LogError`` if the file cannot be read.
  package func advance() throws(LogError) -> Step? {
    line = nil
    while rest == 0 {
      if event < events.count {
        take(events[event])
        event += 1
      } else if try !scan() {
        return nil
      }
    }
    var step = Step(number: runNumber, type: Int(types[place]), shape: Int(shapes[place]))
    step.missing = runNumber &- number
    step.interruption = pendingBreak
    pendingBreak = nil
    number = runNumber &+ 1
    runNumber &+= 1
    place += 1
    rest -= 1
    return step
  }

  private func take(_ event: ScanEvent) {
    if case .mark = event.content, checker.end == nil { return }
    let position = checker.position
    let unusable = checker.take(event.content, line: firstLine + event.line)
    if let last = checker.breaks.last, last.position == position { pendingBreak = last.kind }
    guard case .steps(let run) = event.content else { return }
    place += unusable
    runNumber = run.number &+ UInt64(unusable)
    rest = run.count - unusable
    runStart = place
    runLine = firstLine + event.line + unusable
  }

  /// Scans the next piece of the file; returns `false` at its end.
  private func scan() throws(LogError) -> Bool {
    let piece: ScannedPiece
    if next < range.upperBound {
      let end = min(next + Self.pieceSize, range.upperBound)
      piece = try scanner.scan(next..<end, startsLine: next == range.lowerBound)
      next = end
      if piece.lineCount > 0 { settled = piece.block.end }
    } else if !isAtLastLine, settled < range.upperBound {
      isAtLastLine = true
      piece = try scanner.scan(
        settled..<range.upperBound, startsLine: true, includesUnterminated: true)
    } else {
      return false
    }
    firstLine += pieceLines
    let limit = MemoryLimit.standard.lineByteCount
    guard checker.listByteCount + names.byteCount <= limit else {
      throw LogError(path: path, reason: .listsTooLarge(line: firstLine - 1, limit: limit))
    }
    pieceLines = piece.lineCount
    events = piece.events
    event = 0
    place = 0
    offset = piece.block.offset
    starts = piece.block.starts.all
    types = piece.block.types.numbers
    shapes = piece.block.shapes.numbers
    return true
  }

  // MARK: Names

  /// Returns the action type with a number.
  package func typeName(_ type: Int) -> String { names.type(UInt32(type)) }

  /// Returns the shape with a number.
  package func shape(_ shape: Int) -> StepShape { names.shape(UInt32(shape)) }

  // MARK: The current step

  /// The line number of the current step, counted from 1.
  package var lineNumber: Int { runLine + place - 1 - runStart }

  /// The text of the current step's line, without its newline.
  var lineText: [UInt8] { scanner.line(at: start) }

  /// Reads the current step.
  ///
  /// - Throws: ``LogError`` if the line is invalid in spite of a correct sum.
  package func step() throws(LogError) -> LogStep {
    if let step = line?.step { return step }
    let bytes = scanner.line(at: start)
    do throws(LineFault) {
      guard case .step(let step) = try LogLine(bytes) else {
        throw LineFault(problem: .missingMember("n"), byte: 0)
      }
      var line = self.line ?? PassedLine()
      line.step = step
      self.line = line
      return step
    } catch {
      let finding = Finding(
        problem: error.problem, line: lineNumber, step: number &- 1, byte: error.byte)
      throw LogError(path: path, reason: .damaged(finding))
    }
  }

  /// Reads the time of the current step.
  ///
  /// - Throws: ``LogError`` as ``step()`` does.
  package func time() throws(LogError) -> UInt64 {
    if let time = scanner.time(at: start) { return time }
    return try step().time.microseconds
  }

  /// Reads the state or the patch that the current step writes.
  ///
  /// - Parameters:
  ///   - write: The index of the write in the step's shape.
  ///   - shape: The shape of the step.
  /// - Returns: The value; `nil` if the write has none.
  /// - Throws: ``LogError`` as ``step()`` does.
  package func value(
    ofWrite write: Int, in shape: StepShape
  ) throws(LogError) -> JSON? {
    if let bytes = scanner.value(ofWrite: write, of: shape.writes.count, at: start, &reader) {
      do throws(JSONError) {
        return try JSON.parse(bytes)
      } catch {
        // Reading the whole line finds out what is wrong with it.
      }
    }
    let (store, kind) = (shape.writes[write].store, shape.writes[write].kind)
    let step = try step()
    return kind == .patch ? step.patches?[store] : step.states?[store]
  }

  /// Calls `body` with the path and the value of a patch that replaces one value of a store, if the current step has such a
  /// patch as writers write it; returns `false` otherwise.
  ///
  /// The path has no escapes. The value is not checked.
  func withReplacement(
    of store: String, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    if finder == nil || finder?.store != store { finder = ReplacementFinder(store) }
    return finder.map { unsafe scanner.withReplacement(at: start, $0, body) } ?? false
  }

  private var start: Int { offset + Int(starts[place - 1]) }

  // MARK: The log

  /// The number of steps that are missing after the last one; only known after it.
  ///
  /// The largest number if lost lines may have been any number of steps.
  package var missingAtEnd: UInt64 {
    (checker.expected &- number).addingClamped(checker.missingAtEnd)
  }

  /// The last line; `nil` if the log was not closed.
  ///
  /// Only known after the last step.
  package var end: LogEnd? { checker.end }

  /// The findings so far.
  package var findings: [Finding] { checker.findings }

  /// The model of the restoring gap right before the current step.
  var restoredModel: LogGap.Model? { checker.gaps.last?.gap.model }
}

/// Finds a patch that replaces one value of a store at the end of a line.
struct ReplacementFinder {
  let store: String
  private let opening: [UInt8]

  init(_ store: String) {
    self.store = store
    var name = store
    var opening = Array(#","patches":{"#.utf8)
    name.withUTF8 { unsafe opening.appendJSONString(UnsafeRawBufferPointer($0)) }
    self.opening = opening + [UInt8(ascii: ":")]
  }

  /// Returns the replacement if the line ends with it; see ``StepLines``.
  func replacement(_ bytes: JSONBytes, in line: Range<Int>) -> ReplaceOperation? {
    let end = line.upperBound - LineSum.tailCount
    guard let start = bytes.place(of: opening, from: line.lowerBound, to: end) else { return nil }
    var cursor = LineCursor()
    cursor.begin(bytes, from: start + opening.count, to: end)
    guard let replacement = ReplaceOperation(&cursor), cursor.take("}"), cursor.position == end
    else { return nil }
    return replacement
  }
}

/// The parts of the current line that were read.
private struct PassedLine {
  var step: LogStep?
}

extension PieceScanner {
  /// Returns a line of the current piece, without its newline.
  ///
  /// A long line is not copied.
  func line(at start: Int) -> [UInt8] {
    if let longLine, longLine.start == start, longLine.text.last != UInt8(ascii: "\r") {
      return longLine.text
    }
    return withLine(at: start) { bytes, line in
      unsafe [UInt8](bytes.slice(line.lowerBound, line.upperBound))
    }
  }

  /// Calls `body` with the bytes that have a line of the current piece, and its range in them, without the newline.
  private func withLine<Result>(
    at start: Int, _ body: (JSONBytes, Range<Int>) -> Result
  ) -> Result {
    if let longLine, longLine.start == start {
      return unsafe longLine.text.withUnsafeBytes { bytes in
        let hasReturn = unsafe bytes.last == UInt8(ascii: "\r")
        return body(unsafe JSONBytes(bytes), 0..<bytes.count - (hasReturn ? 1 : 0))
      }
    }
    let bytes = lineBytes
    let from = start - base
    var end = newline(after: start).map { $0 - base } ?? bytes.count
    if end > from, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return body(bytes, from..<end)
  }

  /// Returns the time of a step line in microseconds; `nil` if the line is not as writers write it.
  func time(at start: Int) -> UInt64? {
    // The end of a line is not needed, and looking for it takes time.
    if longLine?.start != start { return Self.time(in: lineBytes, from: start - base) }
    return withLine(at: start) { bytes, line in Self.time(in: bytes, from: line.lowerBound) }
  }

  private static func time(in bytes: JSONBytes, from start: Int) -> UInt64? {
    var cursor = LineCursor()
    cursor.begin(bytes, from: start, to: bytes.count)
    guard cursor.take(#"{"n":"#), cursor.digits() != nil, cursor.take(#","t":"#) else { return nil }
    return cursor.seconds()
  }

  /// Calls `body` with the path and the value of the patch that ends a line, if it replaces one value.
  func withReplacement(
    at start: Int, _ finder: ReplacementFinder,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    withLine(at: start) { bytes, line in
      guard unsafe LineSum.isValid(bytes.slice(line.lowerBound, line.upperBound)),
        let found = finder.replacement(bytes, in: line)
      else { return false }
      return unsafe body(
        bytes.slice(found.path.lowerBound, found.path.upperBound),
        bytes.slice(found.value.lowerBound, found.value.upperBound))
    }
  }

  /// Returns the text of a value that a step writes; `nil` if the line is not as writers write it.
  func value(
    ofWrite write: Int, of count: Int, at start: Int, _ reader: inout OutlineReader
  ) -> [UInt8]? {
    withLine(at: start) { bytes, line in
      guard unsafe LineSum.isValid(bytes.slice(line.lowerBound, line.upperBound)),
        reader.outline(bytes, from: line.lowerBound, to: line.upperBound - LineSum.tailCount) != nil
      else { return nil }
      let found = write == 0 ? reader.firstWrite : reader.writes.dropFirst(write).first
      guard reader.writeCount == count, let value = found?.value else { return nil }
      return unsafe [UInt8](bytes.slice(value.lowerBound, value.upperBound))
    }
  }
}

extension OutlineReader {
  fileprivate var writeCount: Int { (firstWrite == nil ? 0 : 1) + otherWrites.count }
}
