import FluxInspector
import FluxJSON
import FluxLog

/// A part of a search for the writes of a value, which a client continues.
struct WriteSearch {
  private(set) var writes: [PathWrite] = []
  /// The number of steps that were looked at.
  let scanned: Int
  /// The place to continue from, which the client sends back; nil at the end.
  let next: [Int]?

  init(
    _ path: Path, from next: JSON?, through end: Int?, _ direction: SearchDirection, limit: Int,
    deadline: ContinuousClock.Instant, in timeline: Timeline
  ) throws {
    guard path.footprint.places.allSatisfy({ $0.tokens.first == "state" }) else {
      throw CommandError(
        .usage, "\(path.text) is not a part of the state",
        hint: "a path begins with a store: todos.items")
    }
    let start = try next.map { try WriteCursor($0) }
    let first = start?.rest.count ?? max(0, min(end ?? .max - 1, timeline.end) + 1)
    var rest = first
    var writes: [PathWrite] = []
    var hasBegun = false
    let cursor = try timeline.forEachWrite(
      of: .path(path), through: end, direction, from: start,
      goesOn: { done, total in
        rest = total - done
        defer { hasBegun = true }
        // Each part makes progress, however little time there is.
        return !hasBegun || ContinuousClock.now < deadline
      }
    ) { write in
      writes.append(write)
      return writes.count < limit && ContinuousClock.now < deadline
    }
    self.writes = writes
    scanned = max(0, first - (cursor == nil ? 0 : min(rest, cursor?.rest.count ?? 0)))
    self.next = cursor?.numbers
  }
}

extension WriteCursor {
  /// Reads a place that a client sent back.
  fileprivate init(_ json: JSON) throws(PageError) {
    let numbers = json.elements.compactMap { $0.number?.int64.flatMap { Int(exactly: $0) } }
    guard numbers.count == 4, numbers[2] >= 0, numbers[2] <= numbers[3] else {
      throw PageError(.badRequest, "next: expected what an answer had there")
    }
    self.init(
      known: numbers[0] < -1 ? nil : numbers[0], isHidden: numbers[1] != 0,
      rest: numbers[2]..<numbers[3])
  }

  fileprivate var numbers: [Int] {
    [known ?? -2, isHidden ? 1 : 0, rest.lowerBound, rest.upperBound]
  }
}
