/// Where the steps' lines of a block begin, in bytes from the block's offset on.
///
/// Kept as the distance from each to the next, mostly a byte or two, and as the place of every
/// sixty-fourth line, from which those after it are counted: a third of the memory of places alone.
struct LineStarts: Sendable, Equatable {
  /// How far it is from each line to the next: one less than there are lines.
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

  /// Lines of which the first begins there; nil where they end beyond what a place can say, or do
  /// not ascend.
  init?(first: UInt32, distances: NumberColumn) {
    guard distances.range.map({ $0.lowerBound > 0 }) ?? true else { return nil }
    var marks = [first]
    var place = Int(first)
    for start in stride(from: 0, to: distances.count, by: Self.interval) {
      let end = min(start + Self.interval, distances.count)
      place += distances.sum(in: start..<end)
      guard let mark = UInt32(exactly: place) else { return nil }
      if end - start == Self.interval { marks.append(mark) }
    }
    self.distances = distances
    self.marks = marks
  }

  var count: Int { marks.isEmpty ? 0 : distances.count + 1 }

  /// Where the line of a step begins.
  subscript(_ step: Int) -> Int {
    let mark = step / Self.interval
    return Int(marks[mark]) + distances.sum(in: mark * Self.interval..<step)
  }

  var first: Int? { marks.first.map { Int($0) } }

  var last: Int? { count > 0 ? self[count - 1] : nil }

  var all: [UInt32] {
    guard var place = marks.first else { return [] }
    return [place]
      + distances.numbers.map { distance in
        place += distance
        return place
      }
  }
}
