import FluxJSON
import FluxSystem

extension LogFile {
  /// Reads the step at a position, counted from 0 over the usable steps.
  ///
  /// - Throws: ``LogError`` if there is no such position, if the line changed after it was indexed,
  ///   or if it is invalid in spite of a correct sum.
  public func step(at position: Int) throws(LogError) -> LogStep {
    try step(lineText(at: position), at: position)
  }

  /// Parses the line of the step at a position.
  func step(_ text: [UInt8], at position: Int) throws(LogError) -> LogStep {
    do throws(LineFault) {
      let step = try LogStep(line: text)
      guard step.number == number(at: position) else { throw .notAStep }
      return step
    } catch {
      throw damage(error, at: position)
    }
  }

  func damage(_ fault: LineFault, at position: Int) -> LogError {
    LogError(path: path, fault, line: lineNumber(at: position) ?? 0, step: number(at: position))
  }

  /// Reads the step with a number.
  ///
  /// - Throws: ``LogError`` as ``step(at:)`` does, and if the log has no such step.
  public func step(number: UInt64) throws(LogError) -> LogStep {
    guard let position = position(of: number) else {
      throw LogError(path: path, reason: .noSuchStep(number, in: numbers(indexing.index)))
    }
    return try step(at: position)
  }

  /// Returns the position of the step with a number; `nil` if the log has no such step.
  package func position(of number: UInt64) -> Int? {
    indexing.withIndex { index in
      let position = index.position(atOrBefore: number)
      return position.map { index.number(at: $0) } == number ? position : nil
    }
  }

  /// Returns the position of the step that caused the one at a position; nil if the log does not have it.
  package func position(ofCause cause: UInt64?, before position: Int) -> Int? {
    guard let cause, let found = self.position(of: cause), found < position else { return nil }
    return found
  }

  /// Reads the line of the step at a position, as it is in the file, without its newline.
  ///
  /// - Throws: ``LogError`` if there is no such position, or if the file became shorter.
  public func lineText(at position: Int) throws(LogError) -> [UInt8] {
    guard let found = line(at: position) else {
      let distance = UInt64(position.magnitude)
      let (number, isBeyond) =
        position < 0
        ? header.first.subtractingReportingOverflow(distance)
        : header.first.addingReportingOverflow(distance)
      let nearest: UInt64 = position < 0 ? 0 : .max
      throw LogError(
        path: path,
        reason: .noSuchStep(isBeyond ? nearest : number, in: numbers(indexing.index)))
    }
    return try text(of: found.bytes, line: found.number)
  }

  /// Returns the bytes in which the line of the step at a position begins, and the number of the line; `nil` if there is
  /// no such position.
  ///
  /// Other lines may follow in the range.
  func line(at position: Int) -> (bytes: Range<Int>, number: Int)? {
    indexing.withIndex { index in
      index.location(of: position).map { location in
        let block = index.blocks[location.block]
        return (block.bytes(ofStep: location.step), block.line(ofStep: location.step))
      }
    }
  }

  /// Returns the line number of the step at a position, counted from 1; `nil` if there is no such
  /// position.
  public func lineNumber(at position: Int) -> Int? { line(at: position)?.number }

  /// Returns the number of the step at a position; `nil` if there is no such position.
  public func number(at position: Int) -> UInt64? {
    indexing.withIndex { $0.number(at: position) }
  }

  /// Returns the position of the last step with at most this number; `nil` if all numbers are
  /// greater.
  public func position(atOrBefore number: UInt64) -> Int? {
    indexing.index.position(atOrBefore: number)
  }

  /// Returns the position of the last step at or before a time; `nil` if all steps are later.
  ///
  /// - Throws: ``LogError`` if a line that the search needs cannot be read.
  public func position(atOrBefore time: LogTime) throws(LogError) -> Int? {
    let next = try (0..<count).partitioningIndex { (position) throws(LogError) in
      try step(at: position).time > time
    }
    return next > 0 ? next - 1 : nil
  }

  private func numbers(_ index: LogIndex) -> ClosedRange<UInt64>? {
    guard let first = index.number(at: 0), let last = index.number(at: index.count - 1) else {
      return nil
    }
    return first...last
  }

  /// Returns the first line in a range of the file, without its newline.
  private func text(of range: Range<Int>, line: Int) throws(LogError) -> [UInt8] {
    // Long lines may follow in the range; little more is read than the first line.
    var lines = LineReader(
      file, longestLine: longestLine, block: 1 << 20, from: range.lowerBound, to: range.upperBound,
      number: line - 1)
    let text = try lines.next() ?? []
    // The index has no longer line, but the file may have changed.
    if let byteCount = lines.tooLong {
      let fault = LineFault(lineTooLong: byteCount, limit: longestLine)
      throw LogError(path: path, fault, line: line)
    }
    return text.lineContent
  }

  // MARK: In flight

  /// Returns the actions in flight after the last step of the log, in order, as of now.
  ///
  /// Empty if there are none, if the in-flight file belongs to another log, or if the recording continues in the next
  /// segment, which then has their lines or shows them. Call this once the index is complete: before that, the result
  /// includes actions whose lines are not indexed yet.
  ///
  /// - Throws: ``LogError`` if the in-flight file exists but cannot be read, is too large, or has an
  ///   unknown layout.
  public func inFlight() throws(LogError) -> [InFlightAction] {
    let checker = indexing.index.checker
    let next = checker.expected
    if file.isInMemory || checker.end?.isContinued == true { return [] }
    var actions: [UInt64: InFlightAction] = [:]
    // Until a recorder has moved the file, it is next to the previous segment, and only there if links are denied.
    let segments = [LogFileNames.segment(before: path), path].compactMap(\.self)
    for path in segments.flatMap(LogFileNames.inFlightPaths(of:)) {
      for action in try actionsInFlight(at: path) where action.number >= next {
        actions[action.number] = action
      }
    }
    let sorted = actions.values.sorted { $0.number < $1.number }
    // Steps were kept again after those that were dropped; their numbers show the gap.
    return sorted.filter { !$0.isDropped || $0.number == sorted.last?.number }
  }

  private func actionsInFlight(at path: String) throws(LogError) -> [InFlightAction] {
    let file: OpenFile
    do throws(LogError) {
      file = try OpenFile(reading: path, followsLinks: false)
    } catch {
      // A log may have the longest name there is.
      guard case .system("open", let code) = error.reason, code == ENOENT || code == ENAMETOOLONG
      else { throw error }
      return []
    }
    let bytes = try InFlightRecord.bytes(of: file)
    // A recorder creates the file empty, and reserves its blocks before it writes the layout.
    guard bytes.count >= InFlightRecord.ringHeaderCount, bytes.prefix(4) != [0, 0, 0, 0] else {
      return []
    }
    guard InFlightRecord.Layout(ofRing: bytes) != nil else {
      throw LogError(path: path, reason: .unknownInFlightLayout(beginning: Array(bytes.prefix(4))))
    }
    return InFlightRecord.actions(in: bytes, identity: header.identity)
  }
}
