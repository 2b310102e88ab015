/// The index of a log's lines, from the first one up to the end of the scan.
///
/// A value: readers use their copy while scanning continues.
struct LogIndex: Sendable {
  private(set) var blocks: [BlockSlot] = []
  /// The position of the first step of each block.
  private(set) var blockPositions: [Int] = []
  private(set) var checker: SequenceChecker
  /// The number of the next line, counted from 1.
  private(set) var nextLine: Int
  /// The offset of the next line in the file.
  private(set) var end: Int

  init(first: UInt64, nextLine: Int, end: Int) {
    checker = SequenceChecker(first: first)
    self.nextLine = nextLine
    self.end = end
  }

  /// Makes the index that a sidecar contains.
  init(
    blocks: [BlockSlot], counts: [Int], checker: SequenceChecker, nextLine: Int, end: Int
  ) {
    self.blocks = blocks
    self.checker = checker
    self.nextLine = nextLine
    self.end = end
    var position = 0
    for count in counts {
      blockPositions.append(position)
      position += count
    }
  }

  /// The number of usable steps.
  var count: Int { checker.position }

  /// Appends the next piece.
  mutating func append(_ piece: ScannedPiece) {
    var block = piece.block
    block.firstLine = nextLine
    let start = checker.position
    // The place in the block of the next run's first step, without the steps that were removed.
    var kept = 0
    for event in piece.events {
      let unusable = checker.take(event.content, line: nextLine + event.line)
      guard case .steps(let run) = event.content else { continue }
      block.remove(kept..<kept + unusable)
      kept += run.count - unusable
    }
    nextLine += piece.lineCount
    // A piece without a line start says nothing about where complete lines end.
    if piece.lineCount > 0 { end = block.end }
    guard block.count > 0 else { return }
    add(block, at: start)
  }

  mutating func add(_ finding: Finding) { checker.add(finding) }

  private mutating func add(_ block: IndexBlock, at position: Int) {
    if case .loaded(let last) = blocks.last, let joined = last.joined(with: block) {
      blocks[blocks.count - 1] = .loaded(joined)
      return
    }
    blocks.append(.loaded(block))
    blockPositions.append(position)
  }

  /// Returns the block of a step, and the place of the step in it.
  func place(of position: Int) -> (block: Int, step: Int)? {
    guard position >= 0, position < count else { return nil }
    var low = 0
    var high = blockPositions.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if blockPositions[middle] <= position { low = middle } else { high = middle }
    }
    return (low, position - blockPositions[low])
  }

  /// Returns the number of the step at a position.
  func number(at position: Int) -> UInt64? {
    guard position >= 0, position < count else { return nil }
    let runs = checker.runs
    var low = 0
    var high = runs.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].position <= position { low = middle } else { high = middle }
    }
    return runs[low].number + UInt64(position - runs[low].position)
  }

  /// Returns the position of the last step with at most this number.
  func position(atOrBefore number: UInt64) -> Int? {
    let runs = checker.runs
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].number <= number { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let run = runs[low - 1]
    let end = low < runs.count ? runs[low].position : count
    let offset = min(number - run.number, UInt64(end - 1 - run.position))
    return run.position + Int(offset)
  }
}

extension IndexBlock {
  /// Blocks up to this size, which following a log produces, are joined.
  private static let smallCount = 4096

  fileprivate func joined(with next: IndexBlock) -> IndexBlock? {
    let shift = next.offset - offset
    guard count + next.count <= Self.smallCount, let last = next.starts.last,
      shift + last <= UInt32.max
    else { return nil }
    var joined = self
    joined.end = next.end
    joined.starts = LineStarts(starts.all + next.starts.all.map { $0 + UInt32(shift) })
    joined.types = NumberColumn(types.numbers + next.types.numbers)
    joined.shapes = NumberColumn(shapes.numbers + next.shapes.numbers)
    let before = next.firstLine - firstLine - count
    if before > 0 { joined.skips.append(Skip(step: count, lines: before)) }
    joined.skips += next.skips.map { Skip(step: $0.step + count, lines: $0.lines + before) }
    return joined
  }
}
