// Whether what a sidecar says may be true of any log. Its checksums are right wherever somebody has set them, so that
// what the reader relies on is looked at here, once, before it is used: places and numbers that ascend, within what
// there is. What is possible but wrong shows where a line is read: it is then not the step that was expected.

extension Sidecar {
  var isPossible: Bool {
    guard checker.isPossible, nextLine <= identity.size + 2,
      entries.reduce(0, { $0 + $1.count }) == checker.position
    else { return false }
    var end = 0
    for entry in entries {
      // A line takes a byte at least.
      guard entry.offset >= end, entry.end <= identity.size,
        entry.count <= entry.end - entry.offset, entry.firstLine >= 1, entry.firstLine <= nextLine
      else { return false }
      end = entry.end
    }
    return true
  }
}

extension SequenceChecker {
  /// The largest number in a line, from which it can be counted on.
  private static let largest = UInt64(Int64.max)

  fileprivate var isPossible: Bool {
    let largest = Self.largest
    return expected <= largest && end.map { $0.steps <= largest } ?? true && hasPossibleRuns
      && gaps.allSatisfy { $0.gap.from <= $0.gap.through && $0.gap.through < expected }
      && isAscending(gaps.map(\.position)) && isAscending(marks.map(\.position))
      && isAscending(breaks.map(\.position))
  }

  /// Whether the steps have numbers that ascend, each one, up to the one that is expected next.
  private var hasPossibleRuns: Bool {
    guard runs.first.map({ $0.position == 0 }) ?? (position == 0) else { return false }
    var ends = runs.dropFirst().map { ($0.position, $0.number) }
    ends.append((position, expected))
    return zip(runs, ends).allSatisfy { run, end in
      guard run.position < end.0, run.number < end.1 else { return false }
      return UInt64(end.0 - run.position) <= end.1 - run.number
    }
  }

  private func isAscending(_ positions: [Int]) -> Bool {
    positions.allSatisfy { (0...position).contains($0) }
      && zip(positions, positions.dropFirst()).allSatisfy { $0 <= $1 }
  }
}
