import FluxLog

/// Steps that follow from each other, and the position whose model they begin in.
struct Stretch: Equatable {
  /// The position whose model the replay begins in; ``Timeline/start`` for the initial one.
  let base: Int
  /// The positions of the steps.
  let positions: Range<Int>
}

/// How a range of a log can be replayed: in stretches between which the model has to be taken from
/// the log.
struct StretchPlan {
  private(set) var stretches: [Stretch] = []
  /// The position that only unusable lines lead to: nothing is replayed from there on.
  private(set) var damagedFrom: Int?

  /// Plans the replay of the steps at these positions.
  init(_ timeline: Timeline, _ range: Range<Int>) throws(LogError) {
    var base = range.lowerBound - 1
    guard let known = try Self.known(base, timeline, range.upperBound) else {
      damagedFrom = range.lowerBound
      return
    }
    base = known
    for found in timeline.log.breaks where found.position > base {
      guard found.position < range.upperBound else { break }
      add(base, to: found.position)
      if found.kind == .damage {
        damagedFrom = found.position
        return
      }
      base = try Self.resumption(found.position, timeline.log, range.upperBound)
    }
    add(base, to: range.upperBound)
  }

  private mutating func add(_ base: Int, to end: Int) {
    guard base + 1 < end else { return }
    stretches.append(Stretch(base: base, positions: base + 1..<end))
  }

  /// The first position from there on whose model is known; nil where damage hides it.
  private static func known(
    _ base: Int, _ timeline: Timeline, _ end: Int
  ) throws(LogError) -> Int? {
    guard base >= 0, !(try timeline.model(at: base).unknownStores.isEmpty) else { return base }
    guard let last = timeline.log.breaks.last(where: { $0.position <= base }), last.kind == .gap
    else { return nil }
    return try resumption(last.position, timeline.log, end)
  }

  /// The first accepted step after a gap, which has the whole model; the end where there is none.
  private static func resumption(
    _ position: Int, _ log: LogFile, _ end: Int
  ) throws(LogError) -> Int {
    let accepted = try log.firstPosition(in: position..<end) { !$0.isRejected }
    return accepted ?? end
  }
}
