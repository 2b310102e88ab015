import FluxJSON

/// The index of the step lines that start in one piece of the file: two to four bytes per step if
/// there are few types, shapes and source lines.
struct IndexBlock: Sendable, Equatable {
  /// Lines before a step of the block that are not usable steps.
  struct Skip: Sendable, Equatable {
    var step: Int
    var lines: Int
  }

  var offset: Int
  /// The end of the last line that starts in the piece.
  var end: Int
  /// The number of the piece's first line, counted from 1.
  var firstLine = 0
  var starts: LineStarts
  var types: NumberColumn
  var shapes: NumberColumn
  /// The source lines of the steps; see ``LogNames/source(_:)``.
  var sources: NumberColumn
  var skips: [Skip]

  var count: Int { starts.count }

  /// Returns the bytes of the file that contain a step's line; other lines may follow it.
  func bytes(ofStep step: Int) -> Range<Int> {
    let start = offset + starts[step]
    return start..<(step + 1 < count ? start + Int(starts.distances[step]) : end)
  }

  /// Calls `body` for each step in a range with its shape number and the bytes of the file that
  /// contain its line.
  func forEachStep(in steps: Range<Int>, _ body: (_ step: Int, _ shape: UInt32, Range<Int>) -> Void)
  {
    guard let first = steps.first else { return }
    let shapes = shapes.numbers(in: steps)
    // The last line of the block has no next line.
    let distances = starts.distances.numbers(in: first..<min(steps.upperBound, count - 1))
    var start = offset + starts[first]
    for step in steps {
      let next = step + 1 < count ? start + Int(distances[step - first]) : end
      body(step, shapes[step - first], start..<next)
      start = next
    }
  }

  func line(ofStep step: Int) -> Int {
    let next = skips.partitioningIndex { $0.step > step }
    return firstLine + step + (next > 0 ? skips[next - 1].lines : 0)
  }

  /// Removes unusable steps; their lines are counted as skipped.
  mutating func remove(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    starts = LineStarts(starts.all.removing(range))
    types = NumberColumn(types.numbers.removing(range))
    shapes = NumberColumn(shapes.numbers.removing(range))
    sources = NumberColumn(sources.numbers.removing(range))
    let next = skips.partitioningIndex { $0.step > range.lowerBound }
    let lines = (next > 0 ? skips[next - 1].lines : 0) + range.count
    let later = skips[next...].map { skip in
      Skip(
        step: max(range.lowerBound, skip.step - range.count), lines: skip.lines + range.count)
    }
    skips = skips[..<next] + [Skip(step: range.lowerBound, lines: lines)] + later
  }

  /// Blocks up to this size, which following a log produces, are joined.
  private static let smallCount = 4096

  /// Returns a block with the steps of this one and the next; `nil` if they are too many.
  func joined(with next: IndexBlock) -> IndexBlock? {
    let shift = next.offset - offset
    guard count + next.count <= Self.smallCount, let last = next.starts.last,
      shift + last <= UInt32.max
    else { return nil }
    var joined = self
    joined.end = next.end
    joined.starts = LineStarts(starts.all + next.starts.all.map { $0 + UInt32(shift) })
    joined.types = NumberColumn(types.numbers + next.types.numbers)
    joined.shapes = NumberColumn(shapes.numbers + next.shapes.numbers)
    joined.sources = NumberColumn(sources.numbers + next.sources.numbers)
    let before = next.firstLine - firstLine - count
    if before > 0 { joined.skips.append(Skip(step: count, lines: before)) }
    joined.skips += next.skips.map { Skip(step: $0.step + count, lines: $0.lines + before) }
    return joined
  }
}

extension [UInt32] {
  fileprivate func removing(_ range: Range<Int>) -> [UInt32] {
    var numbers = self
    numbers.removeSubrange(range)
    return numbers
  }
}

/// The starts of the step lines of a block, relative to the block's offset.
///
/// Stored as the distance from each line to the next, usually one or two bytes, and the start of
/// every 64th line. That takes a third of the memory of an array of starts.
struct LineStarts: Sendable, Equatable {
  /// The distance from each line to the next; one fewer than there are lines.
  let distances: NumberColumn
  private let marks: [UInt32]

  private static let interval = 64

  init(_ starts: [UInt32]) {
    self.init(count: starts.count) { starts[$0] }
  }

  @inline(__always)
  init(count: Int, start: (Int) -> UInt32) {
    distances = NumberColumn(count: max(count - 1, 0)) { start($0 + 1) &- start($0) }
    marks = stride(from: 0, to: count, by: Self.interval).map(start)
  }

  var count: Int { marks.isEmpty ? 0 : distances.count + 1 }

  subscript(_ step: Int) -> Int {
    let mark = step / Self.interval
    return Int(marks[mark]) + Int(distances.sum(in: mark * Self.interval..<step))
  }

  var last: Int? { count > 0 ? self[count - 1] : nil }

  var all: [UInt32] {
    guard var start = marks.first else { return [] }
    return [start]
      + distances.numbers.map { distance in
        start += distance
        return start
      }
  }
}
