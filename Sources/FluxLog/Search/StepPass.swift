package import FluxJSON

/// A pass over steps of an indexed log, in their order.
///
/// The index tells the type and the shape of each step. Lines are read when a caller asks for what is in them, many at a
/// time, so the memory of a pass does not depend on its length.
package final class StepPass {
  /// A step of the log.
  package struct Step {
    /// The step's number.
    package var number: UInt64
    /// The number of the action's type; see ``StepPass/typeName(_:)``.
    package var type: Int
    /// The number of the step's shape; see ``StepPass/shape(_:)``.
    package var shape: Int
    /// The break right before this step; `nil` if the model continues.
    package var interruption: LogBreak.Kind?
  }

  package let log: LogFile
  private let index: LogIndex
  private var rest: Range<Int>
  /// The shapes of the steps to stop at, after the first one; `nil` for all.
  private let shapes: IDSet?
  /// `false` if the log does not have all steps of the pass any more, because ``LogFile/refresh()`` took the last one back.
  package let isComplete: Bool
  /// The position of the current step.
  package private(set) var position: Int
  private var breaks: ArraySlice<LogBreak>
  private var runs: ArraySlice<NumberRun>
  /// The block of the current step, and the positions of its steps.
  private var block = 0
  private var blockSteps = 0..<0

  /// Bytes of the file with the line of the current step, and their place.
  private(set) var bytes: [UInt8] = []
  private var start = 0
  /// The bytes to read at a time, which grow as long as lines are near each other.
  private var readSize = StepPass.smallestRead
  /// The line of the current step in these bytes; `nil` if it is not read yet.
  private var line: Range<Int>?
  private var parsed: LogStep?
  private var reader = OutlineReader()
  private var finder: PatchFinder?

  private static let smallestRead = 1 << 13
  private static let largestRead = 1 << 17

  /// Makes a pass over steps of the indexed part of a log, which stops at the steps with these shapes; `nil` for all.
  ///
  /// It stops at the first step in any case. Steps with other shapes must continue the model.
  package init(_ log: LogFile, _ positions: Range<Int>, shapes: IDSet? = nil) {
    (self.log, self.shapes) = (log, shapes)
    index = log.indexing.index
    rest = positions.clamped(to: 0..<index.count)
    isComplete = rest == positions
    position = rest.lowerBound - 1
    let first = rest.lowerBound
    let checker = index.checker
    breaks = checker.breaks[checker.breaks.partitioningIndex { $0.position >= first }...]
    runs = checker.runs[max(0, checker.runs.partitioningIndex { $0.position > first } - 1)...]
  }

  // MARK: Moving

  /// Advances to the next step and returns it; `nil` after the last one.
  package func advance() -> Step? {
    guard let next = next() else { return nil }
    (position, line, parsed) = (next, nil, nil)
    rest = next + 1..<rest.upperBound
    if !blockSteps.contains(next), let location = index.location(of: next) {
      block = location.block
      let start = next - location.step
      blockSteps = start..<start + index.blocks[block].count
    }
    let inBlock = next - blockSteps.lowerBound
    while let run = runs.dropFirst().first, run.position <= next { runs.removeFirst() }
    let run = runs[runs.startIndex]
    var step = Step(
      number: run.number &+ UInt64(next - run.position),
      type: Int(index.blocks[block].types[inBlock]),
      shape: Int(index.blocks[block].shapes[inBlock]))
    // Several breaks may be in the same place; the last one decides.
    while let found = breaks.first, found.position <= next {
      step.interruption = found.kind
      breaks.removeFirst()
    }
    return step
  }

  private func next() -> Int? {
    guard let shapes, let next = rest.first, !blockSteps.isEmpty else { return rest.first }
    // In a log of one store, it is mostly the next step.
    if blockSteps.contains(next),
      shapes.contains(index.blocks[block].shapes[next - blockSteps.lowerBound])
    {
      return next
    }
    return index.position(in: rest, .forwards, \.shapes, shapes)
  }

  // MARK: Names

  /// Returns the action type with a number.
  package func typeName(_ type: Int) -> String { log.names.type(UInt32(type)) }

  /// Returns the shape with a number.
  package func shape(_ shape: Int) -> StepShape { log.names.shape(UInt32(shape)) }

  // MARK: The current step

  /// Reads the text of the current step's line, without its newline.
  func lineText() throws(LogError) -> [UInt8] {
    let line = try readLine()
    return line.count == bytes.count ? bytes : Array(bytes[line])
  }

  /// Reads the current step.
  ///
  /// - Throws: ``LogError`` if the line is invalid in spite of a correct sum, or if the file became shorter.
  package func step() throws(LogError) -> LogStep {
    if let parsed { return parsed }
    let step = try log.step(lineText(), at: position)
    parsed = step
    return step
  }

  /// Reads the time of the current step.
  package func time() throws(LogError) -> UInt64 {
    let time = try withLine { bytes, line -> UInt64? in
      StepLine.time(bytes, from: line.lowerBound)
    }
    if let time { return time }
    return try step().time.microseconds
  }

  /// Reads the number of the step that caused the current one; `nil` if it has no cause.
  package func cause() throws(LogError) -> UInt64? {
    let outline = try withLine { bytes, line in StepLine(bytes, line)?.outline(&reader) }
    if let outline { return outline.cause }
    return try step().cause
  }

  /// `true` if the action of the current step contains a text.
  func contains(_ needle: TextNeedle) throws(LogError) -> Bool {
    let mayContain = try withLine { bytes, line in
      unsafe needle.mayBeFound(inLine: bytes.slice(line.lowerBound, line.upperBound))
    }
    guard mayContain else { return false }
    return needle.isFound(in: try step().action)
  }

  /// Reads the state or the patch of a write in the current step's shape; `nil` if the write has none.
  package func value(
    ofWrite write: Int, in shape: StepShape
  ) throws(LogError) -> JSON? {
    let count = shape.writes.count
    let text = try withLine { bytes, line in
      StepLine(bytes, line).flatMap { $0.value(ofWrite: write, of: count, &reader) }
    }
    // If it is no JSON, reading the whole line finds out what is wrong with it.
    if let text, let json = JSON(ifValid: text) { return json }
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
  ) throws(LogError) -> Bool {
    if finder?.store.hasSameBytes(as: store) != true { finder = PatchFinder(store) }
    return try withLine { bytes, line in
      guard let line = StepLine(bytes, line), let found = finder?.replacement(in: line) else {
        return false
      }
      return unsafe body(
        bytes.slice(found.path.lowerBound, found.path.upperBound),
        bytes.slice(found.value.lowerBound, found.value.upperBound))
    }
  }

  private func withLine<Result>(
    _ body: (JSONBytes, Range<Int>) -> Result
  ) throws(LogError) -> Result {
    let line = try readLine()
    // The bytes do not change during the call.
    return unsafe bytes.withUnsafeBytes { bytes in body(unsafe JSONBytes(bytes), line) }
  }

  /// Returns the line of the current step in the bytes, which are read if they are not those of an earlier step.
  private func readLine() throws(LogError) -> Range<Int> {
    if let line { return line }
    let range = index.blocks[block].bytes(ofStep: position - blockSteps.lowerBound)
    // Other lines of any length may follow the step in its range.
    if range.count > Self.largestRead {
      (bytes, start) = (try log.lineText(at: position), range.lowerBound)
      line = bytes.indices
      return bytes.indices
    }
    if range.lowerBound < start || range.upperBound > start + bytes.count {
      let isNear = (start..<start + 2 * bytes.count).contains(range.lowerBound)
      readSize = isNear ? min(2 * readSize, Self.largestRead) : Self.smallestRead
      bytes = try log.file.bytes(at: range.lowerBound, count: max(range.count, readSize))
      start = range.lowerBound
      guard range.count <= bytes.count else {
        throw LogError(path: log.path, reason: .shrunk(line: log.lineNumber(at: position) ?? 0))
      }
    }
    let from = range.lowerBound - start
    var end = bytes.firstNewline(from: from) ?? bytes.count
    if end > from, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    line = from..<end
    return from..<end
  }
}

extension LogFile {
  /// Returns the position of the first step in a range that a step caused; `nil` if there is none.
  ///
  /// The index knows which steps have a cause. Their lines say which one.
  package func position(
    in range: Range<Int>, causedBy number: UInt64
  ) throws(LogError) -> Int? {
    let pass = StepPass(self, range, shapes: names.shapes(where: \.hasCause))
    while pass.advance() != nil {
      if try pass.cause() == number { return pass.position }
    }
    return nil
  }
}
