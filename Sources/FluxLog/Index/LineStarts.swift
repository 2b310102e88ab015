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
    guard var place = marks.first else { return [] }
    return [place]
      + distances.numbers.map { distance in
        place += distance
        return place
      }
  }
}
