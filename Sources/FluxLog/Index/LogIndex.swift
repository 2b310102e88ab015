import FluxJSON

/// The index of a log's lines, from the first one up to the end of the scan.
///
/// A value: readers use their copy while scanning continues.
struct LogIndex: Sendable {
  private(set) var blocks: [IndexBlock] = []
  private(set) var blockPositions: [Int] = []
  private(set) var checker: SequenceChecker
  /// The number of the next line, counted from 1.
  private(set) var nextLine: Int
  private(set) var end: Int
  /// The number of steps of each shape; `nil` while every step line is usable.
  ///
  /// The shapes of unusable lines, which may be those of another log, are in ``LogNames`` as well.
  private(set) var shapeCounts: [Int]?

  init(first: UInt64, nextLine: Int, end: Int) {
    checker = SequenceChecker(first: first)
    self.nextLine = nextLine
    self.end = end
  }

  var count: Int { checker.position }

  mutating func append(_ piece: ScannedPiece) {
    var block = piece.block
    block.firstLine = nextLine
    let start = checker.position
    // The index in the block of the next run's first step, without the steps that were removed.
    var kept = 0
    for event in piece.events {
      let unusable = checker.take(event.content, line: nextLine + event.line)
      guard case .steps(let run) = event.content else { continue }
      block.remove(kept..<kept + unusable)
      kept += run.count - unusable
    }
    checker.take(piece.sums, from: nextLine)
    nextLine += piece.lineCount
    // A piece without a line start says nothing about where complete lines end.
    if piece.lineCount > 0 { end = block.end }
    countShapes(of: block, isWhole: block.count == piece.block.count)
    guard block.count > 0 else { return }
    add(block, at: start)
  }

  private mutating func countShapes(of block: IndexBlock, isWhole: Bool) {
    guard shapeCounts != nil || !isWhole else { return }
    var counts = shapeCounts ?? []
    for uncounted in (shapeCounts == nil ? blocks : []) + [block] {
      uncounted.shapes.count(in: 0..<uncounted.count, into: &counts)
    }
    shapeCounts = counts
  }

  /// Adds the findings and the sum of the first line.
  mutating func add(header findings: [Finding], _ sums: LineSums) {
    for finding in findings { checker.add(finding) }
    checker.take(sums, from: 1)
  }

  private mutating func add(_ block: IndexBlock, at position: Int) {
    if let joined = blocks.last?.joined(with: block) {
      blocks[blocks.count - 1] = joined
      return
    }
    blocks.append(block)
    blockPositions.append(position)
  }

  /// Returns the index of a step's block, and the index of the step in it.
  func location(of position: Int) -> (block: Int, step: Int)? {
    guard position >= 0, position < count else { return nil }
    let block = blockPositions.partitioningIndex { $0 > position } - 1
    return (block, position - blockPositions[block])
  }

  /// Returns the number of the action type of a step.
  func type(at position: Int) -> UInt32? {
    location(of: position).map { blocks[$0.block].types[$0.step] }
  }

  /// Returns the number of the shape of a step.
  func shape(at position: Int) -> UInt32? {
    location(of: position).map { blocks[$0.block].shapes[$0.step] }
  }

  /// Returns the nearest position in a range whose number in a column is in a set.
  func position(
    in range: Range<Int>, _ direction: SearchDirection,
    _ column: KeyPath<IndexBlock, NumberColumn>, _ set: IDSet
  ) -> Int? {
    guard !set.isEmpty else { return nil }
    return search(range, direction, column) { column, part, _ in
      column.index(in: part, of: set, direction)
    }
  }

  /// Calls `body` with the columns of a range, the part of each that is in the range, and the position of its first
  /// step, until it returns an index.
  @discardableResult
  func search(
    _ range: Range<Int>, _ direction: SearchDirection,
    _ column: KeyPath<IndexBlock, NumberColumn>,
    _ body: (NumberColumn, _ part: Range<Int>, _ start: Int) -> Int?
  ) -> Int? {
    let range = range.clamped(to: 0..<count)
    let isForwards = direction == .forwards
    guard !range.isEmpty,
      var block = location(of: isForwards ? range.lowerBound : range.upperBound - 1)?.block
    else { return nil }
    while blocks.indices.contains(block) {
      let start = blockPositions[block]
      let end = block + 1 < blocks.count ? blockPositions[block + 1] : count
      let part = range.clamped(to: start..<end)
      guard !part.isEmpty else { return nil }
      let column = blocks[block][keyPath: column]
      if let found = body(column, part.lowerBound - start..<part.upperBound - start, start) {
        return start + found
      }
      block += isForwards ? 1 : -1
    }
    return nil
  }

  func number(at position: Int) -> UInt64? {
    guard position >= 0, position < count else { return nil }
    let run = checker.runs[checker.runs.partitioningIndex { $0.position > position } - 1]
    return run.number + UInt64(position - run.position)
  }

  /// Returns the position of the last step with at most this number.
  func position(atOrBefore number: UInt64) -> Int? {
    let runs = checker.runs
    let next = runs.partitioningIndex { $0.number > number }
    guard next > 0 else { return nil }
    let run = runs[next - 1]
    let end = next < runs.count ? runs[next].position : count
    let offset = min(number - run.number, UInt64(end - 1 - run.position))
    return run.position + Int(offset)
  }
}
