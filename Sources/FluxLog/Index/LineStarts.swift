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

  /// Makes starts from the first line and the distances; `nil` if a start does not fit 32 bits or an
  /// `Int`, or if the lines do not ascend.
  init?(first: UInt32, distances: NumberColumn) {
    guard distances.range.map({ $0.lowerBound > 0 }) ?? true else { return nil }
    var marks = [first]
    var place = Int64(first)
    for start in stride(from: 0, to: distances.count, by: Self.interval) {
      let end = min(start + Self.interval, distances.count)
      place += distances.sum(in: start..<end)
      guard let mark = UInt32(exactly: place) else { return nil }
      if end - start == Self.interval { marks.append(mark) }
    }
    guard Int(exactly: place) != nil else { return nil }
    self.distances = distances
    self.marks = marks
  }

  var count: Int { marks.isEmpty ? 0 : distances.count + 1 }

  subscript(_ step: Int) -> Int {
    let mark = step / Self.interval
    return Int(marks[mark]) + Int(distances.sum(in: mark * Self.interval..<step))
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
