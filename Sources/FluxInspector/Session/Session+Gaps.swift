import FluxLog

// A log that leaves many actions out has nearly as many gaps as steps: they are searched by halves.
extension Session {
  /// The gap that holds a step's number.
  func gap(around number: UInt64) -> LogGap? {
    let gaps = log.gaps
    let place = gaps.firstPlace { $0.gap.through >= number }
    guard place < gaps.count, gaps[place].gap.from <= number else { return nil }
    return gaps[place].gap
  }

  /// The gaps between the step at a position and the one before it.
  func gaps(before position: Int) -> [LogGap] {
    let gaps = log.gaps
    let place = gaps.firstPlace { $0.position >= position }
    return gaps[place...].prefix { $0.position == position }.map(\.gap)
  }

  /// The marks between the step at a position and the one before it.
  func marks(before position: Int) -> [LogMark] {
    let marks = log.marks
    let place = marks.firstPlace { $0.position >= position }
    return marks[place...].prefix { $0.position == position }.map(\.mark)
  }

  /// Whether lines are damaged between the step at a position and the one before it.
  func isDamaged(before position: Int) -> Bool {
    let breaks = log.breaks
    let place = breaks.firstPlace { $0.position >= position }
    return breaks[place...].prefix { $0.position == position }.contains { $0.kind == .damage }
  }
}

extension Array {
  /// The first place at which the condition holds, given that it holds at all later ones.
  fileprivate func firstPlace(where isReached: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isReached(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension LogGap {
  /// What is missing, and why: `steps 6 to 9 are not in the log: paused`.
  var sentence: String {
    from == through
      ? "step \(from) is not in the log: \(why)"
      : "steps \(from) to \(through) are not in the log: \(why)"
  }
}
